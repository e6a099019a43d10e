import SwiftletCommandLine
import SwiftletBase
import SwiftletImage
import SwiftletVision

/// `landmark-holistic`: the points of one person's body, hands and face.
enum LandmarkHolisticCommand: ToolCommand {
  static let declaration = LandmarkArguments.command(
    .landmarkHolistic, summary: "finds the body, hands and face of one person",
    options: [
      LandmarkArguments.confidence("face-detection", "search faces with this score at least"),
      suppression("face"),
      LandmarkArguments.confidence("face-presence", "keep faces that the model is surer of than this"),
      LandmarkArguments.confidence("pose-detection", "search bodies with this score at least"),
      suppression("pose"),
      LandmarkArguments.confidence("pose-presence", "keep bodies that the model is surer of than this"),
      LandmarkArguments.confidence("hand-landmarks", "keep hands that the model is surer of than this"),
      LandmarkFacesCommand.blendshapes, LandmarkPosesCommand.masks,
      .flag("keep-state", "do not begin anew with each picture, as MediaPipe does not"),
    ], notes: LandmarkPosesCommand.masksNote, example: "holistic-landmarker")

  private static func suppression(_ part: String) -> OptionDeclaration {
    .value(
      "min-\(part)-suppression", .number(0...1),
      "findings of a \(part) that overlap by more are one, 0 to 1 (default: 0.3)")
  }

  /// The options of the task, as the command line gives them.
  static func options(_ arguments: Arguments) throws(UsageError) -> HolisticLandmarkerOptions {
    var outputs: HolisticLandmarkerOutputs = []
    if arguments.flag("blendshapes") { outputs.insert(.blendshapes) }
    if arguments.string("masks") != nil { outputs.insert(.segmentationMask) }
    return HolisticLandmarkerOptions(
      baseOptions: RuntimeArguments.withRoomForMasks(
        try LandmarkArguments.baseOptions(arguments, for: .landmarkHolistic)),
      minFaceDetectionConfidence: LandmarkArguments.confidence("face-detection", arguments),
      minFaceSuppressionThreshold: arguments.float("min-face-suppression") ?? 0.3,
      minFacePresenceConfidence: LandmarkArguments.confidence("face-presence", arguments),
      minPoseDetectionConfidence: LandmarkArguments.confidence("pose-detection", arguments),
      minPoseSuppressionThreshold: arguments.float("min-pose-suppression") ?? 0.3,
      minPosePresenceConfidence: LandmarkArguments.confidence("pose-presence", arguments),
      minHandLandmarksConfidence: LandmarkArguments.confidence("hand-landmarks", arguments),
      outputs: outputs)
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let runner = try LandmarkRunner(arguments)
    let masks = arguments.string("masks").map { MaskFolder($0, isList: runner.isList) }
    let options = try options(arguments)
    let task = try TaskRunner.load(options.baseOptions) { try HolisticLandmarker(options: options) }
    let still: @Sendable (InputImage) throws -> Person? = { try task.person(in: $0) }
    let image = arguments.flag("keep-state") ? Self.frames(of: task) : still
    return try runner.run(
      task, task.batchCapacity, masks: masks, image: image
    ) { picture, person in
      let file = try masks?.write([person?.pose.segmentationMask], of: picture).first ?? nil
      return HolisticResult(picture: picture, person: person, maskFile: file)
    }
  }

  /// Returns the task on images as frames of one video, a second apart, as MediaPipe takes them.
  private static func frames(of task: HolisticLandmarker) -> @Sendable (InputImage) throws -> Person? {
    final class Clock: Sendable {
      let next = Mutex(Duration.zero)
    }
    let (video, clock) = (task.video(), Clock())
    return { image in
      let time = clock.next.withLock { next in
        defer { next += .seconds(1) }
        return next
      }
      return try video.person(in: image, at: time)
    }
  }
}
