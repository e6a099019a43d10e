import SwiftletCommandLine
import SwiftletVision

/// `detect-objects`: boxes and classes of the objects in pictures.
enum DetectObjectsCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "detect-objects", summary: "finds objects of the classes a model knows", operands: "IMAGE…",
    operandCount: 0...100_000,
    options: [
      .value("max-results", "N", "the most objects a picture (default: all)"),
      .value("score-threshold", "X", "leave out objects with a lower score (default: 0)"),
      .value("allow", "A,B", "only these categories"),
      .value("deny", "A,B", "not these categories"),
      .value("locale", "L", "the language of display names (default: en)"),
    ] + TaskArguments.declarations, notes: TaskArguments.operandNote)

  static func run(_ arguments: Arguments) throws -> Int32 {
    guard arguments.string("allow") == nil || arguments.string("deny") == nil else {
      throw UsageError("--allow and --deny exclude each other")
    }
    let options = ObjectDetectorOptions(
      baseOptions: try TaskArguments.baseOptions(arguments),
      displayNamesLocale: arguments.string("locale") ?? "en",
      maxResults: try arguments.int("max-results", in: 1...Int.max) ?? -1,
      scoreThreshold: try arguments.float("score-threshold", in: -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude)
        ?? 0,
      categoryAllowlist: arguments.list("allow"), categoryDenylist: arguments.list("deny"))
    let runner = try TaskRunner(arguments)
    let detector = try TaskRunner.load(options.baseOptions) { try ObjectDetector(options: options) }
    return try runner.run("objects") { try detector.detect(image: $0).detections }
  }
}
