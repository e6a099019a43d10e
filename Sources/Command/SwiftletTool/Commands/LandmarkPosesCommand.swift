import SwiftletCommandLine
import SwiftletVision

/// `landmark-poses`: the points of bodies.
enum LandmarkPosesCommand: ToolCommand {
  static let masks = OptionDeclaration.value(
    "masks", .folder, "write which pixels are a person's, as float32 .npy files")

  static let masksNote = """
    The masks of one picture are DIR/0.npy and so on, in the order of the poses; those of several pictures are in a folder for each, DIR/PICTURE/0.npy, \
    with the picture's name without its ending, those of a video's frames in DIR/frame_000000. A mask is [height, width].
    """

  static let declaration = LandmarkArguments.command(
    .landmarkPoses, summary: "finds bodies, with 33 points each",
    options: LandmarkArguments.limits("num-poses", "bodies") + [
      masks,
      .flag("mediapipe-rotation", "look at turned pictures where MediaPipe does, which is the wrong place"),
    ], notes: masksNote, example: "pose-landmarker-lite")

  /// The options of the task, as the command line gives them.
  static func options(_ arguments: Arguments, _ mode: RunningMode) throws(UsageError) -> PoseLandmarkerOptions {
    PoseLandmarkerOptions(
      baseOptions: RuntimeArguments.withRoomForMasks(
        try LandmarkArguments.baseOptions(arguments, for: .landmarkPoses)),
      runningMode: mode, maxPoses: arguments.int("num-poses") ?? 1,
      minDetectionConfidence: LandmarkArguments.confidence("detection", arguments),
      minPresenceConfidence: LandmarkArguments.confidence("presence", arguments),
      minTrackingConfidence: LandmarkArguments.confidence("tracking", arguments),
      outputsSegmentationMasks: arguments.string("masks") != nil,
      keepsMediaPipeRotation: arguments.flag("mediapipe-rotation"))
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let runner = try LandmarkRunner(arguments)
    let masks = arguments.string("masks").map { MaskFolder($0, isList: runner.isList) }
    let options = try options(arguments, runner.runningMode)
    let task = try TaskRunner.load(options.baseOptions) { try PoseLandmarker(options: options) }
    return try runner.run(task, masks: masks) { picture, result in
      let files = try masks?.write(result.poses.map(\.segmentationMask), of: picture)
      return PosesResult(picture: picture, poses: result.poses, maskFiles: files)
    }
  }
}
