import Foundation
import SwiftletCommandLine
import SwiftletBase
import SwiftletFuzzing

/// Tests the parsers and the engine on hostile files, or replays a single file.
enum FuzzProgram {
  static let declaration = CommandDeclaration(
    name: "SwiftletFuzz", summary: "tries hostile files on the readers and the engine",
    actions: [
      ActionDeclaration("targets", "lists what is tried"),
      ActionDeclaration("mutants", "changes models through their schema, and loads, plans and runs them"),
      ActionDeclaration("graphs", "makes graphs of state, calls and shapes that only a run knows, and runs them"),
      ActionDeclaration(
        "tasks", "makes models as tasks take them, with hostile outputs and metadata, and calls every task with them"),
      ActionDeclaration("bundles", "makes bundles of tasks with faults, and calls every landmark task with them"),
      ActionDeclaration("sounds", "makes WAV files with faults, and gives them to a task on sound"),
      ActionDeclaration("texts", "makes models of tasks on texts with faults, and calls every such task with them"),
      ActionDeclaration(
        "case", "writes the models of cases to --output",
        operands: CampaignKind.allCases.map(\.rawValue).joined(separator: "|"), operandCount: 1...1),
      ActionDeclaration("replay", "tries files again", operands: "TARGET FILE…", operandCount: 1...Int.max),
      ActionDeclaration(
        "show", "prints what models say, also those that are refused", operands: "FILE…", operandCount: 1...Int.max),
      ActionDeclaration(
        "seeds", "writes small valid files of a target to --output", operands: "TARGET", operandCount: 1...1),
      ActionDeclaration(
        "worker", "tries cases in this process and says where it is; the others start it", operands: "KIND",
        operandCount: 1...1),
    ],
    options: [
      .value(
        "seed", .integer(0...Int.max), as: "S",
        "what cases are made of: the same seed gives the same cases (default: 1)"),
      .value("first", .integer(0...Int.max), "the first case (default: 0)"),
      .value("count", .integer(1...Int.max), "how many cases (default: 1000)"),
      .value("jobs", .integer(1...256), "how many at once (default: the number of processors)"),
      .value(
        "deadline", .integer(1...Int.max), as: "MS",
        "the most processor time of a case, in milliseconds (default: 5000)"),
      .value("memory", .integer(1...1 << 20), as: "MIB", "the most resident memory of a case, in MiB (default: 1024)"),
      .value(
        "output", .folder,
        "where files are written, those of findings too (default: swiftlet-findings in the folder of temporary files)"),
      .flag("default-limits", "replay models with the limits that programs have which set none"),
      .flag("help", "prints this"),
    ],
    notes: "Built for libFuzzer (see Tools/fuzz/run) there is one more: libfuzzer TARGET [OPTION|FOLDER]…")

  static func run(_ words: [String]) throws -> Int32 {
    guard !words.isEmpty, !words.contains("--help") else {
      StandardStreams.output(HelpText.standard.command(declaration))
      return 0
    }
    let arguments = try Arguments(words, for: declaration)
    let operands = arguments.operands
    let seed = UInt64(arguments.int("seed") ?? 1), first = arguments.int("first") ?? 0
    let numbers = first..<first + (arguments.int("count") ?? 1000)
    switch arguments.action {
    case "targets":
      StandardStreams.output(FuzzTarget.all.map { $0.name + "\n" }.joined())
      return 0
    case let action? where CampaignKind(rawValue: action) != nil:
      return try campaign(kind(action), seed, numbers, arguments)
    case "case":
      let kind = try kind(operands[0])
      try write(
        numbers.map { kind.model(seed: seed, case: $0) }, to: folder(arguments), name: "\(operands[0])-\(seed)",
        "tflite", from: first)
      return 0
    case "replay": return try replay(operands, arguments)
    case "show":
      for path in operands {
        let model = FuzzModel(reading: ByteRegion([UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))))
        StandardStreams.output("\(path)\n\(model?.description ?? "is no model")\n")
      }
      return 0
    case "seeds":
      try write(target(operands[0]).seeds(), to: folder(arguments), name: operands[0], "seed", from: 0)
      return 0
    case "worker":
      CampaignWorker.run(try kind(operands[0]), seed: seed, numbers, watch: watch(arguments))
      // Don't run the destructors of static values, because a watch thread can still be running.
      _exit(0)
    default: throw UsageError("no such action")
    }
  }

  private static func campaign(_ kind: CampaignKind, _ seed: UInt64, _ numbers: Range<Int>, _ arguments: Arguments)
    throws -> Int32
  {
    let campaign = Campaign(
      kind: kind, seed: seed, numbers: numbers,
      jobs: arguments.int("jobs") ?? ProcessInfo.processInfo.activeProcessorCount,
      deadline: arguments.int("deadline") ?? 5000, memory: (arguments.int("memory") ?? 1024) << 20,
      folder: folder(arguments),
      program: CommandLine.arguments[0])
    let report = try campaign.run { StandardStreams.warn($0) }
    func count(_ outcome: CampaignWorker.Outcome) -> Int { report.outcomes[outcome] ?? 0 }
    StandardStreams.output(
      """
      | cases | seed | number | ran | refused | unread | findings | seconds | cases a second |
      |---|---|---|---|---|---|---|---|---|
      | \(kind.rawValue) | \(seed) | \(report.count) | \(count(.ran)) | \(count(.refused)) | \(count(.unread)) | \(report.findings.count) \
      | \(Int(report.seconds)) | \(Int(Double(report.count) / max(report.seconds, 0.001))) |

      """)
    return report.findings.isEmpty && report.count == numbers.count ? 0 : 1
  }

  private static func replay(_ operands: [String], _ arguments: Arguments) throws -> Int32 {
    let target = try target(operands[0])
    let watch = watch(arguments)
    for path in operands.dropFirst() {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      watch.begin()
      if target.name == FuzzTarget.model.name {
        var trial = ModelTrial()
        if arguments.flag("default-limits") { trial.options = .withDefaultLimits }
        trial.refused = { StandardStreams.output("  \($0)\n") }
        _ = trial.run(bytes)
      } else {
        bytes.withUnsafeBytes { target.run($0) }
      }
      watch.end()
      StandardStreams.output("\(path): came back\n")
    }
    return 0
  }

  private static func watch(_ arguments: Arguments) -> CaseWatch {
    CaseWatch(milliseconds: Double(arguments.int("deadline") ?? 5000), bytes: (arguments.int("memory") ?? 1024) << 20)
  }

  private static func kind(_ name: String) throws -> CampaignKind {
    guard let kind = CampaignKind(rawValue: name) else {
      throw UsageError(
        "there are no cases '\(name)'; there are \(CampaignKind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return kind
  }

  private static func target(_ name: String) throws -> FuzzTarget {
    if let target = FuzzTarget.named(name) { return target }
    throw UsageError("there is no target '\(name)'; there are \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
  }

  private static func folder(_ arguments: Arguments) -> String {
    arguments.string("output") ?? NSTemporaryDirectory() + "/swiftlet-findings"
  }

  private static func write(_ files: [[UInt8]], to folder: String, name: String, _ suffix: String, from first: Int)
    throws
  {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (index, bytes) in files.enumerated() {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)-\(first + index).\(suffix)"))
    }
  }
}
