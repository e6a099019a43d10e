import SwiftletCommandLine
import Testing

@testable import SwiftletTool

/// Checks the declarations behind the program's help and manual.
@Suite("Declaration of the program")
struct ProgramDeclarationTests {
  private static func declaration(_ command: String) throws -> CommandDeclaration {
    try #require(Program.commands.map { $0.declaration }.first { $0.name == command }, "\(command)")
  }

  @Test("commands have the documented names, in the order of the help text")
  func names() {
    #expect(
      Program.commands.map { $0.declaration.name } == [
        "inspect", "run", "verify", "bench", "doctor", "detect-objects", "detect-faces", "segment", "embed",
        "classify", "landmark-hands", "recognize-gestures", "landmark-faces", "landmark-poses", "landmark-holistic",
        "classify-audio", "classify-text", "embed-text", "detect-language", "track", "models", "demo", "studio",
        "completions", "help",
      ])
    #expect(Program.name == "swiftlet" && Program.declaration.name == "swiftlet")
    #expect(
      Program.declaration.environment.map(\.name)
        == ["NO_COLOR", "TERM", "SWIFTLET_MODELS", "XDG_DATA_HOME", "SWIFTLET_ISA"])
    #expect(Program.declaration.files.count == 2 && Program.declaration.version == Program.version)
    #expect(throws: Never.self) { try Program.command("help") }
    let error = #expect(throws: UsageError.self) { try Program.command("zzzzzz") }
    #expect(error?.message.hasPrefix("unknown command 'zzzzzz'; there are inspect, run, ") == true)
  }

  @Test(
    "number of operands per command",
    arguments: [
      ("inspect", 1, 2), ("run", 1, 1000), ("verify", 1, 1000), ("bench", 1, 1000), ("detect-faces", 0, 100_000),
      ("segment", 0, 100_000), ("landmark-poses", 0, 100_000), ("classify-audio", 0, 100_000),
      ("embed-text", 0, 100_000), ("track", 1, 100_000), ("demo", 0, 0), ("completions", 1, 1), ("help", 0, 1),
    ])
  func operandCounts(command: String, least: Int, most: Int) throws {
    #expect(try Self.declaration(command).operandCount == least...most)
  }

  @Test("numbers of names per action of the models command")
  func actions() throws {
    let models = try Self.declaration("models")
    #expect(models.actions.map(\.name) == ["list", "fetch", "path"])
    #expect(models.actions.map(\.operandCount) == [0...0, 1...1000, 1...1])
  }

  private static let integers: [(String, String, Int, Int)] = [
    ("bench", "warmup", 0, 1_000_000), ("bench", "runs", 1, 1_000_000), ("demo", "seed", 0, Int.max),
    ("demo", "size", 32, 2048), ("demo", "frames", 1, 1000), ("track", "max-objects", 1, 100),
    ("track", "max-labels", 1, 1_000_000), ("track", "every", 1, 10000), ("landmark-hands", "num-hands", 1, 1000),
    ("landmark-faces", "num-faces", 1, 1000), ("classify-text", "max-results", 1, Int.max),
  ]

  @Test("integers have limits", arguments: integers)
  func integerLimits(command: String, option: String, least: Int, most: Int) throws {
    let declaration = try #require(try Self.declaration(command).options.first { $0.name == option })
    #expect(declaration.kind == .integer(least...most))
  }

  private static let numbers: [(String, String, Float, Float)] = [
    ("bench", "threshold", 0, 1_000_000), ("detect-faces", "min-confidence", 0, 1),
    ("detect-faces", "min-suppression", 0, 1), ("track", "score-threshold", 0, 1), ("track", "confidence", 0, 1),
    ("track", "fps", 0.001, 10000), ("landmark-poses", "fps", 0.001, 10000),
    ("landmark-holistic", "min-pose-suppression", 0, 1), ("landmark-holistic", "min-face-suppression", 0, 1),
    ("landmark-holistic", "min-hand-landmarks-confidence", 0, 1), ("recognize-gestures", "canned-threshold", 0, 1),
    ("recognize-gestures", "custom-threshold", 0, 1), ("landmark-hands", "min-presence-confidence", 0, 1),
    ("classify", "score-threshold", -Float.greatestFiniteMagnitude, Float.greatestFiniteMagnitude),
    ("classify", "timeout", 0.001, 1_000_000),
  ]

  @Test("numbers have limits", arguments: numbers)
  func numberLimits(command: String, option: String, least: Float, most: Float) throws {
    let declaration = try #require(try Self.declaration(command).options.first { $0.name == option })
    #expect(declaration.kind == .number(least...most))
  }

  @Test("names of options are distinct within a command, and every option has an explanation")
  func options() {
    for command in Program.declaration.commands {
      let names = command.options.map(\.name)
      #expect(Set(names).count == names.count, "\(command.name)")
      #expect(command.options.allSatisfy { !$0.help.isEmpty } && !command.summary.isEmpty)
      #expect(!names.contains("help") && !names.contains("version"))
    }
  }

  @Test("defaults in the help text equal the program's defaults")
  func statedDefaults() throws {
    func help(_ command: String, _ option: String) throws -> String {
      try #require(try Self.declaration(command).options.first { $0.name == option }).help
    }
    #expect(try help("bench", "warmup").hasSuffix("(default: 3)") && help("bench", "runs").hasSuffix("(default: 30)"))
    #expect(try help("demo", "size").hasSuffix("(default: 400)") && help("demo", "frames").hasSuffix("(default: 48)"))
    #expect(try help("demo", "seed").hasSuffix("(default: 20261122)") && DemoImages.seed == 20_261_122)
    #expect(try help("detect-faces", "min-confidence").hasSuffix("(default: 0.5)"))
    #expect(try help("detect-faces", "min-suppression").hasSuffix("(default: 0.3)"))
    #expect(try help("landmark-poses", "min-tracking-confidence").hasSuffix("0 to 1 (default: 0.5)"))
    #expect(
      try help("track", "fps").hasSuffix("(default: 30)") && help("track", "max-objects").hasSuffix("(default: 5)"))
  }

  @Test("subjects of batches have their own words and keys")
  func subjects() {
    #expect([BatchSubject.images, .audioFiles, .texts].map(\.key) == ["image", "audio", "text"])
    #expect([BatchSubject.images, .audioFiles, .texts].map(\.plural) == ["images", "audio files", "texts"])
    #expect([BatchSubject.images, .audioFiles, .texts].map(\.singular) == ["image", "audio file", "text"])
  }
}
