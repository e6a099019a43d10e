import SwiftletBase
import SwiftletCommandLine
import SwiftletImage
@_spi(Facades) import SwiftletVision

/// `landmark-faces`: face landmarks.
enum LandmarkFacesCommand: ToolCommand {
  static let blendshapes = OptionDeclaration.flag("blendshapes", "also output 52 blendshape scores")

  static let declaration = LandmarkArguments.command(
    .landmarkFaces, summary: "detect face landmarks (478 per face)",
    options: LandmarkArguments.limits("num-faces", "faces") + [
      blendshapes, .flag("matrices", "also output the transformation matrix from the canonical face model, in cm"),
    ], example: "face-landmarker")

  /// Returns the options of the task from the command line.
  static func options(_ arguments: Arguments) throws(UsageError) -> FaceLandmarkerOptions {
    options(arguments, try LandmarkArguments.baseOptions(arguments, for: .landmarkFaces))
  }

  static func options(_ arguments: Arguments, _ base: BaseOptions) -> FaceLandmarkerOptions {
    var outputs: FaceLandmarkerOutputs = []
    if arguments.flag("blendshapes") { outputs.insert(.blendshapes) }
    if arguments.flag("matrices") { outputs.insert(.transformationMatrices) }
    return FaceLandmarkerOptions(
      baseOptions: base,
      maxFaces: arguments.int("num-faces") ?? 1,
      minDetectionConfidence: LandmarkArguments.confidence("detection", arguments),
      minPresenceConfidence: LandmarkArguments.confidence("presence", arguments),
      minTrackingConfidence: LandmarkArguments.confidence("tracking", arguments),
      outputs: outputs)
  }

  static func run(_ arguments: Arguments) throws -> Int32 {
    let runner = try LandmarkRunner(arguments)
    let options = try options(arguments)
    let task = try TaskRunner.load(options.baseOptions) { try FaceLandmarker(options: options) }
    return try runner.run(task, task.batchCapacity, image: { try task.faces(in: $0) }) {
      FacesResult(input: $0, faces: $1)
    }
  }
}

/// `landmark-hands`: hand landmarks.
enum LandmarkHandsCommand: ToolCommand {
  static let declaration = LandmarkArguments.command(
    .landmarkHands, summary: "detect hand landmarks (21 per hand)",
    options: LandmarkArguments.limits("num-hands", "hands"),
    example: "hand-landmarker")

  /// Returns the options of the task from the command line.
  static func options(_ arguments: Arguments) throws(UsageError) -> HandLandmarkerOptions {
    options(arguments, try LandmarkArguments.baseOptions(arguments, for: .landmarkHands))
  }

  static func options(_ arguments: Arguments, _ base: BaseOptions) -> HandLandmarkerOptions {
    HandLandmarkerOptions(
      baseOptions: base,
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
      HandsResult(input: $0, hands: $1)
    }
  }
}

/// `landmark-poses`: pose landmarks.
enum LandmarkPosesCommand: ToolCommand {
  static let masks = OptionDeclaration.value(
    "masks", .folder, "write the segmentation masks, as float32 .npy files")

  static let masksNote = """
    The masks of a single image are DIR/0.npy and so on, in the order of the poses. For several images, each has a directory named after the image \
    without its extension: DIR/IMAGE/0.npy. For a video, each frame has one: DIR/frame_000000/0.npy. A mask has the shape [height, width].
    """

  static let declaration = LandmarkArguments.command(
    .landmarkPoses, summary: "detect pose landmarks (33 per pose)",
    options: LandmarkArguments.limits("num-poses", "poses") + [
      masks,
      .flag("mediapipe-rotation", "reproduce MediaPipe's (incorrect) regions for rotated images"),
    ], notes: masksNote, example: "pose-landmarker-lite")

  /// Returns the options of the task from the command line.
  static func options(_ arguments: Arguments) throws(UsageError) -> PoseLandmarkerOptions {
    options(arguments, try LandmarkArguments.baseOptions(arguments, for: .landmarkPoses))
  }

  static func options(_ arguments: Arguments, _ base: BaseOptions) -> PoseLandmarkerOptions {
    var options = PoseLandmarkerOptions(
      baseOptions: RuntimeArguments.withRoomForMasks(base),
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
    return try runner.run(task, task.batchCapacity, masks: masks, image: { try task.poses(in: $0) }) { input, poses in
      let files = try masks?.write(poses.map(\.segmentationMask), of: input)
      return PosesResult(input: input, poses: poses, maskFiles: files)
    }
  }
}

/// `landmark-holistic`: the pose, hand, and face landmarks of one person.
enum LandmarkHolisticCommand: ToolCommand {
  static let declaration = LandmarkArguments.command(
    .landmarkHolistic, summary: "detect the pose, hand, and face landmarks of one person",
    options: [
      LandmarkArguments.confidence("face-detection", "the minimum score of the face detector"),
      suppression("face"),
      LandmarkArguments.confidence("face-presence", "the minimum presence score of the face"),
      LandmarkArguments.confidence("pose-detection", "the minimum score of the pose detector"),
      suppression("pose"),
      LandmarkArguments.confidence("pose-presence", "the minimum presence score of the pose"),
      LandmarkArguments.confidence("hand-landmarks", "the minimum presence score of the hands"),
      LandmarkFacesCommand.blendshapes, LandmarkPosesCommand.masks,
      .flag("keep-state", "keep tracking state between images, as MediaPipe does"),
    ], notes: LandmarkPosesCommand.masksNote, example: "holistic-landmarker")

  private static func suppression(_ part: String) -> OptionDeclaration {
    .value(
      "min-\(part)-suppression", .number(0...1),
      "the IoU threshold of the \(part) detector for non-maximum suppression, 0 to 1 (default: 0.3)")
  }

  /// Returns the options of the task from the command line.
  static func options(_ arguments: Arguments) throws(UsageError) -> HolisticLandmarkerOptions {
    options(arguments, try LandmarkArguments.baseOptions(arguments, for: .landmarkHolistic))
  }

  static func options(_ arguments: Arguments, _ base: BaseOptions) -> HolisticLandmarkerOptions {
    var outputs: HolisticLandmarkerOutputs = []
    if arguments.flag("blendshapes") { outputs.insert(.blendshapes) }
    if arguments.string("masks") != nil { outputs.insert(.segmentationMask) }
    return HolisticLandmarkerOptions(
      baseOptions: RuntimeArguments.withRoomForMasks(base),
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
    ) { input, person in
      let file = try masks?.write([person?.pose.segmentationMask], of: input).first ?? nil
      return HolisticResult(input: input, person: person, maskFile: file)
    }
  }

  /// Returns a closure that runs the task on images as frames of one video, one second apart, as MediaPipe expects.
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

/// `recognize-gestures`: hand landmarks and gestures.
enum RecognizeGesturesCommand: ToolCommand {
  static let declaration = LandmarkArguments.command(
    .recognizeGestures, summary: "recognize hand gestures",
    options: LandmarkArguments.limits("num-hands", "hands") + classifier("canned", "canned gestures")
      + classifier("custom", "custom gestures"),
    notes: "Custom gestures take precedence over canned gestures.", example: "gesture-recognizer")

  private static func classifier(_ name: String, _ gestures: String) -> [OptionDeclaration] {
    [
      .value("\(name)-allow", "A,B", "report only these \(gestures)"),
      .value("\(name)-deny", "A,B", "do not report these \(gestures)"),
      .value(
        "\(name)-threshold", .number(0...1), "the minimum score of \(gestures), 0 to 1 (default: 0)"),
    ]
  }

  /// Returns the options of the task from the command line.
  static func options(_ arguments: Arguments) throws(UsageError) -> GestureRecognizerOptions {
    options(arguments, try LandmarkArguments.baseOptions(arguments, for: .recognizeGestures))
  }

  static func options(_ arguments: Arguments, _ base: BaseOptions) -> GestureRecognizerOptions {
    var options = GestureRecognizerOptions(
      baseOptions: base,
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
      HandsResult(input: $0, recognized: $1)
    }
  }

  private static func gestures(_ name: String, _ arguments: Arguments) -> GestureClassifierOptions {
    GestureClassifierOptions(
      scoreThreshold: arguments.float("\(name)-threshold") ?? 0, categoryAllowlist: arguments.list("\(name)-allow"),
      categoryDenylist: arguments.list("\(name)-deny"))
  }
}
