import SwiftletCommandLine
import SwiftletVision

/// `landmark-hands`: the points of hands.
enum LandmarkHandsCommand: ToolCommand {
  static let declaration = LandmarkArguments.command(
    .landmarkHands, summary: "finds hands, with 21 points each",
    options: LandmarkArguments.limits("num-hands", "hands"),
    example: "hand-landmarker")

  /// The options of the task, as the command line gives them.
  static func options(_ arguments: Arguments) throws(UsageError) -> HandLandmarkerOptions {
    HandLandmarkerOptions(
      baseOptions: try LandmarkArguments.baseOptions(arguments, for: .landmarkHands),
      maxHands: arguments.int("num-hands") ?? 1,
      minDetectionConfidence: LandmarkArguments.confidence("detection", arguments),
      minPresenceConfidence: LandmarkArguments.confidence("presence", arguments),
      minTrackingConfidence: LandmarkArguments.confidence("tracking", arguments))
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let runner = try LandmarkRunner(arguments)
    let options = try options(arguments)
    let task = try TaskRunner.load(options.baseOptions) { try HandLandmarker(options: options) }
    return try runner.run(task, task.batchCapacity, image: { try task.hands(in: $0) }) {
      HandsResult(picture: $0, hands: $1)
    }
  }
}
