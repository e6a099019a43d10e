import Foundation
import Swiftlet
import SwiftletCommandLine
import SwiftletJSON
import SwiftletMeasurement
import SwiftletReports

/// `bench`: load times, run times, and resource usage of models.
enum BenchCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "bench", summary: "measure the latency, load time, and memory of models, or compare two measurements",
    operands: "MODEL…",
    operandCount: 1...1000,
    operandKinds: [.file(".tflite", ".json")],
    options: [
      .flag("compare", "compare two files with the output of --json, such as of two versions or machines"),
      .value(
        "threshold", .number(0...1_000_000), as: "PERCENT",
        "with --compare: exit with status 1 if a model is slower in the second file by more than PERCENT and by more than the noise"
      ),
      .value("warmup", .integer(0...1_000_000), "the number of runs before the measurement (default: 3)"),
      .value("runs", .integer(1...1_000_000), "the number of measured runs (default: 30)"),
      .flag("profile", "also print the time of each operator"),
    ] + PageArgument.declarations("also write an HTML page with charts of the runs and of the time of each operator")
      + RuntimeArguments.declarations + [RuntimeArguments.json],
    notes: """
      With --compare, the operands are two outputs of 'bench --json' or of 'swiftlet-benchmarks --suite models --json', the \
      older file first. A ratio is the second file's median divided by the first file's: below 1, the second is faster. \
      A difference counts only if the medians of both files' runs do not overlap at any time during the measurement.
      """,
    examples: [
      .init("bench model.tflite --json > before.json", "save a measurement"),
      .init(
        "bench --compare before.json after.json --threshold 5", "fail if a model has become slower by more than 5 %"),
    ])

  static func run(_ arguments: Arguments) throws -> Int32 {
    let page = try PageArgument.path(arguments)
    if arguments.flag("compare") { return try compare(arguments, page: page) }
    guard arguments.string("threshold") == nil else { throw UsageError("--threshold needs --compare") }
    var options = RuntimeArguments.options(arguments)
    options.isProfiling = arguments.flag("profile") || page != nil
    let warmup = arguments.int("warmup") ?? 3
    let runs = arguments.int("runs") ?? 30
    var results: [BenchResult] = []
    var pages: [MeasurementDescription] = []
    for path in arguments.operands.map(ModelArgument.path) {
      try ModelArgument.require(path)
      var result = try BenchResult.measure(path, options: options, warmup: warmup, runs: runs)
      if page != nil { pages.append(result.description) }
      if !arguments.flag("profile") { result.operators = nil }
      if !arguments.flag("json") { StandardStreams.output(result.text) }
      results.append(result)
    }
    if let page { try OutputFile.write(MeasurementPage.page(pages).bytes, to: page) }
    if arguments.flag("json") {
      StandardStreams.output(document(results).text + "\n")
    }
    return 0
  }

  /// Returns the measurements with the machine and date.
  private static func document(_ results: [BenchResult]) -> JSONValue {
    .object([
      "version": .string(Program.version),
      "date": .string(Date().ISO8601Format()),
      "machine": .object([
        "processor": .optional(ProcessorName.current), "cores": .int(ProcessInfo.processInfo.activeProcessorCount),
        "system": .string(ProcessInfo.processInfo.operatingSystemVersionString),
      ]),
      "results": .array(results.map(\.json)),
    ])
  }

  /// Compares two measurement files.
  ///
  /// - Returns: The exit status: 1 if a model is slower than the threshold allows.
  private static func compare(_ arguments: Arguments, page: String?) throws -> Int32 {
    try requireAlone("compare", besides: ["threshold", "json"] + PageArgument.names, arguments)
    guard arguments.operands.count == 2 else {
      throw UsageError("--compare takes two files, got \(arguments.operands.count)")
    }
    let files = try arguments.operands.map(MeasurementFile.init)
    let comparison = MeasurementComparison(
      files[0], files[1], threshold: arguments.float("threshold").map(Double.init))
    if let page { try OutputFile.write(comparison.page.bytes, to: page) }
    StandardStreams.output(arguments.flag("json") ? comparison.json.text + "\n" : comparison.text)
    guard let failure = comparison.failure else { return 0 }
    StandardStreams.fail(failure)
    return 1
  }
}
