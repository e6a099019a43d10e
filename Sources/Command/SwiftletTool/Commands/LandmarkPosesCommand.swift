import SwiftletCommandLine
@_spi(Facades) import SwiftletVision

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
  static func options(_ arguments: Arguments) throws(UsageError) -> PoseLandmarkerOptions {
    var options = PoseLandmarkerOptions(
      baseOptions: RuntimeArguments.withRoomForMasks(
        try LandmarkArguments.baseOptions(arguments, for: .landmarkPoses)),
      maxPoses: arguments.int("num-poses") ?? 1,
      minDetectionConfidence: LandmarkArguments.confidence("detection", arguments),
      minPresenceConfidence: LandmarkArguments.confidence("presence", arguments),
      minTrackingConfidence: LandmarkArguments.confidence("tracking", arguments),
      outputs: arguments.string("masks") == nil ? [] : [.segmentationMasks])
    options.keepsMediaPipeRotation = arguments.flag("mediapipe-rotation")
    return options
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let runner = try LandmarkRunner(arguments)
    let masks = arguments.string("masks").map { MaskFolder($0, isList: runner.isList) }
    let options = try options(arguments)
    let task = try TaskRunner.load(options.baseOptions) { try PoseLandmarker(options: options) }
    return try runner.run(task, task.batchCapacity, masks: masks, image: { try task.poses(in: $0) }) { picture, poses in
      let files = try masks?.write(poses.map(\.segmentationMask), of: picture)
      return PosesResult(picture: picture, poses: poses, maskFiles: files)
    }
  }
}
