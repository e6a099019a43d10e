public import SwiftletImage
public import SwiftletTasks

/// The options of a ``HolisticLandmarker``.
public struct HolisticLandmarkerOptions: Sendable, Hashable {
  /// The model bundle, and how the models run.
  public var baseOptions: BaseOptions
  /// The minimum score of a face detection, 0…1. Detections with a lower score are ignored.
  public var minFaceDetectionConfidence: Float
  /// The intersection over union above which two detections count as the same face, 0…1.
  public var minFaceSuppressionThreshold: Float
  /// The presence score that the face landmark model must exceed for a face to be returned, 0…1.
  public var minFacePresenceConfidence: Float
  /// The minimum score of a body detection, 0…1. Detections with a lower score are ignored.
  public var minPoseDetectionConfidence: Float
  /// The intersection over union above which two detections count as the same body, 0…1.
  public var minPoseSuppressionThreshold: Float
  /// The presence score that the pose landmark model must exceed for a body to be returned, 0…1.
  public var minPosePresenceConfidence: Float
  /// The presence score that the hand landmark model must exceed for a hand to be returned, 0…1.
  public var minHandLandmarksConfidence: Float
  /// The optional outputs for a person, in addition to landmarks.
  public var outputs: HolisticLandmarkerOutputs

  /// Creates options. Parameters that you omit have their default values.
  public init(
    baseOptions: BaseOptions, minFaceDetectionConfidence: Float = 0.5,
    minFaceSuppressionThreshold: Float = 0.3, minFacePresenceConfidence: Float = 0.5,
    minPoseDetectionConfidence: Float = 0.5, minPoseSuppressionThreshold: Float = 0.3,
    minPosePresenceConfidence: Float = 0.5, minHandLandmarksConfidence: Float = 0.5,
    outputs: HolisticLandmarkerOutputs = []
  ) {
    self.baseOptions = baseOptions
    self.minFaceDetectionConfidence = minFaceDetectionConfidence
    self.minFaceSuppressionThreshold = minFaceSuppressionThreshold
    self.minFacePresenceConfidence = minFacePresenceConfidence
    self.minPoseDetectionConfidence = minPoseDetectionConfidence
    self.minPoseSuppressionThreshold = minPoseSuppressionThreshold
    self.minPosePresenceConfidence = minPosePresenceConfidence
    self.minHandLandmarksConfidence = minHandLandmarksConfidence
    self.outputs = outputs
  }

  func validate() throws(TaskError) {
    try ConfidenceOption.check(minFaceDetectionConfidence, "minFaceDetectionConfidence")
    try ConfidenceOption.check(minFaceSuppressionThreshold, "minFaceSuppressionThreshold")
    try ConfidenceOption.check(minFacePresenceConfidence, "minFacePresenceConfidence")
    try ConfidenceOption.check(minPoseDetectionConfidence, "minPoseDetectionConfidence")
    try ConfidenceOption.check(minPoseSuppressionThreshold, "minPoseSuppressionThreshold")
    try ConfidenceOption.check(minPosePresenceConfidence, "minPosePresenceConfidence")
    try ConfidenceOption.check(minHandLandmarksConfidence, "minHandLandmarksConfidence")
  }
}

/// The optional outputs for a person, in addition to landmarks.
public struct HolisticLandmarkerOutputs: OptionSet, Sendable, Hashable {
  /// The raw bits of the set.
  public let rawValue: Int

  /// Creates a set from raw bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Blendshape scores of the face. Requires a blendshape model in the bundle.
  public static let blendshapes = HolisticLandmarkerOutputs(rawValue: 1)
  /// A confidence mask of the person.
  public static let segmentationMask = HolisticLandmarkerOutputs(rawValue: 2)
}

/// Detects the landmarks of a person: body, both hands, and face. It runs MediaPipe's `holistic_landmarker.task`
/// bundles.
///
/// ```swift
/// let landmarker = try HolisticLandmarker(.file("holistic_landmarker.task"))
/// if let person = try landmarker.person(in: image) { print(person.pose[.nose], person.leftHand?.landmarks[8]) }
/// ```
/// The landmarks of the body determine the regions of the hands and the face. In videos and live sessions, all regions
/// are tracked, and the landmarks of the body are smoothed. Rotated images are supported, whereas MediaPipe ignores
/// their orientation in this task.
///
/// - Thread safety: callable concurrently; calls on one task run one at a time, unless `BaseOptions.maxConcurrentCalls`
///   is raised.
public final class HolisticLandmarker: VisionTask {
  /// The person in an image; `nil` if no person is detected.
  public typealias Output = Person?

  private let runner: TaskRunner<HolisticLandmarkerPipeline>

  /// The capacity of a batch of images.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }

  /// Creates a holistic landmarker.
  ///
  /// - Throws: `TaskError` if options are out of range, or a model in the bundle is missing or is of another kind.
  public init(options: HolisticLandmarkerOptions) throws(TaskError) {
    try options.validate()
    runner = try TaskRunner(options.baseOptions, name: "holisticLandmarker") {
      try HolisticLandmarkerPipeline(options, $0)
    }
  }

  /// Creates a holistic landmarker with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout HolisticLandmarkerOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = HolisticLandmarkerOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  // MARK: Images

  /// Returns the person in an image; blocks until done.
  ///
  /// - Parameter image: An image of any size, in any orientation.
  /// - Throws: `TaskError` if the model cannot run. The next call may succeed.
  public func person(in image: InputImage) throws(TaskError) -> Person? {
    try runner.output(for: VisionInput(image))
  }

  /// Returns the person in an image, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func person(in image: InputImage, priority: TaskPriority) async throws -> Person? {
    try await runner.output(for: VisionInput(image), priority: priority)
  }

  /// Returns the person in many images, in order; see ``Batch``.
  public func people(inContentsOf images: some Sequence<InputImage> & Sendable) -> Batch<InputImage, Person?> {
    runner.batch(BatchSources(images)) { VisionInput($0) }
  }

  /// Returns the person in many images, in order; `load` creates each image; see ``Batch``.
  public func people<Sources: Sequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, Person?> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  /// Returns the person in many images, in order; `load` creates each image from an element of an asynchronous
  /// sequence; see ``Batch``.
  public func people<Sources: AsyncSequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, Person?> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  // MARK: Videos and cameras

  /// Opens a session for the frames of one video.
  public func video() -> VideoSession<HolisticLandmarker> { VideoSession(runner.session()) }
}

extension VideoSession where SomeTask == HolisticLandmarker {
  /// Returns the person in the next frame of the video; blocks until done.
  ///
  /// - Parameters:
  ///   - frame: The frame, in any orientation.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: `TaskError`, such as `timeNotIncreasing`. The session is then unchanged.
  public func person(in frame: InputImage, at time: Duration) throws(TaskError) -> Person? {
    try output(for: frame, at: time)
  }

  /// Returns the person in the next frame of the video, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func person(
    in frame: InputImage, at time: Duration, priority: TaskPriority
  ) async throws -> Person? {
    try await output(for: frame, at: time, priority: priority)
  }
}

/// A person in an image: body, hands, and face.
public struct Person: Sendable, Equatable {
  /// The body.
  public var pose: Pose
  /// The person's own left hand; `nil` if it is not detected.
  public var leftHand: HolisticHand?
  /// The person's own right hand; `nil` if it is not detected.
  public var rightHand: HolisticHand?
  /// The face, without a transformation matrix; `nil` if it is not detected.
  public var face: Face?

  /// Creates a person.
  public init(
    pose: Pose, leftHand: HolisticHand? = nil, rightHand: HolisticHand? = nil, face: Face? = nil
  ) {
    self.pose = pose
    self.leftHand = leftHand
    self.rightHand = rightHand
    self.face = face
  }

  /// Transforms the person to that of the mirror image.
  mutating func mirror() {
    pose.mirror()
    leftHand?.mirror()
    rightHand?.mirror()
    face?.mirror()
  }
}

/// A hand of a person in a holistic result.
public struct HolisticHand: Sendable, Hashable {
  /// The 21 landmarks in the stored image, in the order of ``HandLandmarks/Point``. Depth is relative to the wrist.
  public var landmarks: [NormalizedLandmark]
  /// The world landmarks, in meters, relative to the midpoint of the hips. The wrist coincides with the wrist in
  /// ``Pose/worldLandmarks``.
  public var worldLandmarks: [Landmark]

  /// Creates a hand.
  public init(landmarks: [NormalizedLandmark], worldLandmarks: [Landmark]) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
  }

  /// Transforms the hand to that of the mirror image.
  mutating func mirror() {
    landmarks.mirror()
    worldLandmarks.mirror()
  }
}
