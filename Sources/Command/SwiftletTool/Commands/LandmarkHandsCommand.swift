import SwiftletCommandLine
import SwiftletVision

/// `landmark-hands`: the points of hands.
enum LandmarkHandsCommand: ToolCommand {
  static let declaration = LandmarkArguments.command(
    .landmarkHands, summary: "finds hands, with 21 points each",
    options: LandmarkArguments.limits("num-hands", "hands"),
    example: "hand-landmarker")

  static func run(_ arguments: Arguments) throws -> Int32 {
    let runner = try LandmarkRunner(arguments)
    let options = HandLandmarkerOptions(
      baseOptions: try LandmarkArguments.baseOptions(arguments, for: .landmarkHands),
      runningMode: runner.runningMode, maxHands: arguments.int("num-hands") ?? 1,
      minDetectionConfidence: LandmarkArguments.confidence("detection", arguments),
      minPresenceConfidence: LandmarkArguments.confidence("presence", arguments),
      minTrackingConfidence: LandmarkArguments.confidence("tracking", arguments))
    let task = try TaskRunner.load(options.baseOptions) { try HandLandmarker(options: options) }
    return try runner.run(task) { HandsResult(picture: $0, hands: $1.hands) }
  }
}
