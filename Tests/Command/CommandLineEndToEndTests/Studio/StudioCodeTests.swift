import Foundation
import SwiftletCommandLine
import SwiftletImage
import SwiftletTestSupport
import Testing

@testable import SwiftletTool

/// The Swift code and command lines that the studio displays.
@Suite("Code of the studio")
struct StudioCodeTests {
  /// A value of a control that differs from its default.
  private static func value(_ control: StudioControl) -> String {
    switch control.kind {
    case .number(let range, _): "\((range.lowerBound + 3 * range.upperBound) / 4)"
    case .integer(let range): "\(min(range.upperBound, 2 + (control.standard == "2" ? 1 : 0)))"
    case .flag: "true"
    case .choice(let choices): choices.last ?? ""
    case .text: "cat,a \"quoted\" \\(word)"
    }
  }

  private static func values(_ task: StudioTask, all: Bool) throws -> StudioValues {
    // The two lists are mutually exclusive.
    let given = task.controls.filter { all && $0.name != "deny" }
    return try StudioValues(
      Dictionary(uniqueKeysWithValues: given.map { ($0.name, Self.value($0)) }), for: task)
  }

  /// The programs of a task: with bundled and other models, with and without options, for images and video.
  private static func programs(_ task: StudioTask) throws -> [String] {
    let models =
      (task.bundled.map { [StudioModel(bundled: $0)] } ?? [])
      + [StudioModel(id: "file-0", name: "a", path: "/models/it's \"a\" model.tflite", argument: "m.tflite")]
    var programs: [String] = []
    for model in models {
      for all in [false, true] {
        let code = StudioCode(task: task, values: try values(task, all: all), model: model)
        programs.append(code.program())
        if task.isLive { programs.append(code.program(isLive: true)) }
      }
    }
    return programs
  }

  @Test("compiles for every task, model, and option")
  func compiles() throws {
    var imports: Set<String> = [], bodies: [String] = []
    for program in try StudioTask.all.flatMap(Self.programs) {
      let lines = program.components(separatedBy: "\n")
      imports.formUnion(lines.filter { $0.hasPrefix("import ") })
      bodies.append("do {\n" + lines.filter { !$0.hasPrefix("import ") }.joined(separator: "\n") + "\n}\n")
    }
    #expect(bodies.count > 60)
    try PageCode.expectToCompile(
      imports.sorted().joined(separator: "\n") + "\nfunc studio() throws {\n" + bodies.joined() + "}\n")
  }

  @Test("contains only what differs from the defaults")
  func defaultsAreOmitted() throws {
    let task = try #require(StudioTask.named("detect-faces")), model = try #require(task.bundled)
    let values = try StudioValues(["min-confidence": "0.5", "min-suppression": "0.4"], for: task)
    let code = StudioCode(task: task, values: values, model: StudioModel(bundled: model))
    #expect(code.command == "swiftlet detect-faces --min-suppression 0.4 photo.jpg")
    #expect(code.program().contains("minSuppressionThreshold: 0.4)"))
    #expect(!code.program().contains("minDetectionConfidence"))
    #expect(code.program().contains("import SwiftletModels"))
    #expect(code.program().contains(", threads: \(StudioTask.cores))"))
    let normalized = try StudioValues(["normalization": "ImageNet"], for: task)
    #expect(
      StudioCode(task: task, values: normalized, model: StudioModel(bundled: model)).program()
        .contains(
          "inputNormalization: InputNormalization(mean: [123.675, 116.28, 103.53], standardDeviation: [58.395, 57.12, 57.375])"
        ))
  }

  @Test("program and command line have the chosen point", arguments: [Float(0), 0.2575, 1e-5, 1])
  func chosenPoint(_ x: Float) throws {
    let task = try #require(StudioTask.all.first { $0.input == .imagePoint })
    let code = StudioCode(
      task: task, values: try Self.values(task, all: false), model: nil, point: NormalizedPoint(x: x, y: 0.75))
    #expect(code.program().contains("NormalizedPoint(x: \(x), y: 0.75)"))
    let words = code.command.split(separator: " ").map(String.init)
    let option = try #require(words.firstIndex(of: "--point"))
    #expect(StudioRequestInput.point(words[option + 1]) == NormalizedPoint(x: x, y: 0.75))
    _ = try Arguments(Array(words.dropFirst(2)), for: task.declaration)
  }

  @Test("command lines are accepted by their commands", arguments: StudioTask.all.map(\.id))
  func commandLines(_ id: String) throws {
    let task = try #require(StudioTask.named(id))
    let model = StudioModel(id: "file-0", name: "a", path: "/a b/m.task", argument: "/a b/m.task")
    let words = StudioCode(task: task, values: try Self.values(task, all: true), model: model).command
    let (status, output) = try OtherProgram.run("/bin/sh", ["-c", "printf '%s\\n' \(words)"])
    #expect(status == 0)
    let parts = output.split(separator: "\n").map(String.init)
    #expect(parts.starts(with: ["swiftlet", task.declaration.name]))
    _ = try Arguments(parts.dropFirst(2), for: task.declaration)
  }

  @Test("string literals escape everything that could end them or change the text's direction")
  func literals() {
    #expect(StudioCode.quoted("a\"\\(b)\n\u{202E}") == #""a\"\\(b)\u{a}\u{202e}""#)
    #expect(ShellWord.quoted("a-b_1.c/d,e") == "a-b_1.c/d,e")
    #expect(ShellWord.quoted("it's $(x)") == "'it'\\''s $(x)'")
    #expect(ShellWord.quoted("") == "''")
  }
}

/// The controls of the studio.
@Suite("Controls of the studio")
struct StudioControlTests {
  @Test("every control is an option of its command, with the default that the help states")
  func defaults() throws {
    for task in StudioTask.all {
      for control in task.controls where control.place != .normalization {
        let option = try #require(
          task.declaration.options.first { $0.name == control.name }, "\(task.id) \(control.name)")
        guard control.name != "masks", control.name != "threads" else { continue }
        #expect((option.kind == nil) == (control.kind == .flag))
        let stated = option.help.firstMatch(of: #/\(default: ([^)]*)\)/#).map { String($0.1) }
        let isUnlimited = stated == "no limit"
        #expect(isUnlimited ? control.standard == nil : stated == control.standard, "\(task.id) \(control.name)")
      }
    }
  }

  @Test("a normalization stands for two options")
  func normalization() throws {
    let task = try #require(StudioTask.named("classify"))
    for (name, mean, deviation) in StudioControl.normalizations {
      let arguments = try StudioValues(["normalization": name], for: task).arguments(for: task)
      #expect(arguments.string("input-mean") == mean && arguments.string("input-deviation") == deviation)
      #expect(try TaskArguments.inputNormalization(arguments) != nil)
    }
    #expect(try StudioValues(["normalization": "metadata"], for: task).given.isEmpty)
    #expect(throws: UsageError.self) { try StudioValues(["normalization": "0"], for: task) }
  }

  @Test("values outside of an option's range are errors", arguments: ["-1", "1.5", "x", "nan", "0x1p3"])
  func ranges(_ value: String) throws {
    let task = try #require(StudioTask.named("detect-faces"))
    #expect(throws: UsageError.self) { try StudioValues(["min-confidence": value], for: task) }
  }

  @Test("parameters that aren't controls are ignored, and paths cannot be given")
  func otherParameters() throws {
    let task = try #require(StudioTask.named("landmark-poses"))
    let values = try StudioValues(
      ["annotate": "/etc/x", "model": "/etc/x", "masks": "true", "video": "true", "numerics": "fast"], for: task)
    #expect(values.given.map(\.name) == ["masks"])
    #expect(try values.arguments(for: task).string("masks") == "masks")
    #expect(try StudioValues(["masks": "/etc/x"], for: task).given.isEmpty)
  }

  @Test("a value is text of at most 1000 characters")
  func longValues() throws {
    let task = try #require(StudioTask.named("classify"))
    let long = String(repeating: "a", count: 1000)
    #expect(try StudioValues(["allow": long], for: task)["allow"] == long)
    #expect(throws: UsageError.self) { try StudioValues(["allow": long + "a"], for: task) }
    #expect(throws: UsageError.self) { try StudioValues(["allow": "a", "deny": "b"], for: task).checked(task) }
  }
}

extension StudioValues {
  /// Checks the values as the task does when it loads.
  fileprivate func checked(_ task: StudioTask) throws { _ = try CategoryArguments(try arguments(for: task)) }
}
