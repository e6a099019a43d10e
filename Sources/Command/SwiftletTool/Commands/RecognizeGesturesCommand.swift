import SwiftletCommandLine
import SwiftletVision

/// `recognize-gestures`: the points of hands and what the hands say.
enum RecognizeGesturesCommand: ToolCommand {
  static let declaration = LandmarkArguments.command(
    .recognizeGestures, summary: "finds hands and names their gestures",
    options: LandmarkArguments.limits("num-hands", "hands") + classifier("canned", "the bundle's own gestures")
      + classifier("custom", "the gestures that were added to the bundle"),
    notes: "A gesture of the added ones goes before one of the bundle's own.", example: "gesture-recognizer")

  private static func classifier(_ name: String, _ gestures: String) -> [OptionDeclaration] {
    [
      .value("\(name)-allow", "A,B", "only these of \(gestures)"),
      .value("\(name)-deny", "A,B", "not these of \(gestures)"),
      .value(
        "\(name)-threshold", .number(0...1), "leave out \(gestures) with a lower score, 0 to 1 (default: 0)"),
    ]
  }

  /// The options of the task, as the command line gives them.
  static func options(_ arguments: Arguments) throws(UsageError) -> GestureRecognizerOptions {
    var options = GestureRecognizerOptions(
      baseOptions: try LandmarkArguments.baseOptions(arguments, for: .recognizeGestures),
      maxHands: arguments.int("num-hands") ?? 1,
      minDetectionConfidence: LandmarkArguments.confidence("detection", arguments),
      minPresenceConfidence: LandmarkArguments.confidence("presence", arguments),
      minTrackingConfidence: LandmarkArguments.confidence("tracking", arguments))
    options.cannedGestures = gestures("canned", arguments)
    options.customGestures = gestures("custom", arguments)
    return options
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let runner = try LandmarkRunner(arguments)
    let options = try options(arguments)
    let task = try TaskRunner.load(options.baseOptions) { try GestureRecognizer(options: options) }
    return try runner.run(task, task.batchCapacity, image: { try task.gestures(in: $0) }) {
      HandsResult(picture: $0, recognized: $1)
    }
  }

  private static func gestures(_ name: String, _ arguments: Arguments) -> GestureClassifierOptions {
    GestureClassifierOptions(
      scoreThreshold: arguments.float("\(name)-threshold") ?? 0, categoryAllowlist: arguments.list("\(name)-allow"),
      categoryDenylist: arguments.list("\(name)-deny"))
  }
}
