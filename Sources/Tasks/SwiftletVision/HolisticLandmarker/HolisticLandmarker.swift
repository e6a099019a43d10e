public import SwiftletImage
public import SwiftletTasks

/// The options of a ``HolisticLandmarker``.
public struct HolisticLandmarkerOptions: Sendable, Hashable {
  /// The bundle of all models, and how they are run.
  public var baseOptions: BaseOptions
  /// Faces that the detector is less sure of are not looked at; 0…1.
  public var minFaceDetectionConfidence: Float
  /// Faces that overlap by more are taken to be one; intersection over union, 0…1.
  public var minFaceSuppressionThreshold: Float
  /// Only places where the model sees a face with more than this confidence count; 0…1.
  public var minFacePresenceConfidence: Float
  /// Bodies that the detector is less sure of are not looked at; 0…1.
  public var minPoseDetectionConfidence: Float
  /// Bodies that overlap by more are taken to be one; intersection over union, 0…1.
  public var minPoseSuppressionThreshold: Float
  /// Only places where the model sees a body with more than this confidence count; 0…1.
  public var minPosePresenceConfidence: Float
  /// Only places where the model sees a hand with more than this confidence count; 0…1.
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
  /// The bits of the set.
  public let rawValue: Int

  /// Creates a set from bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The blendshapes of the face; the bundle must have their model.
  public static let blendshapes = HolisticLandmarkerOutputs(rawValue: 1)
  /// A mask of the person's pixels.
  public static let segmentationMask = HolisticLandmarkerOutputs(rawValue: 2)
}

/// Detects a person: body, both hands, and face at once. Runs MediaPipe's `holistic_landmarker.task` bundles.
///
/// ```swift
/// let landmarker = try HolisticLandmarker(.file("holistic_landmarker.task"))
/// if let person = try landmarker.person(in: image) { print(person.pose[.nose], person.leftHand?.landmarks[8]) }
/// ```
/// Hands and face are looked for where the landmarks of the body are. In videos and live sessions all are tracked, and the
/// landmarks of the body are smoothed. The person in an image that is not stored upright is found too; MediaPipe ignores
/// orientations here.
///
/// - Thread safety: callable concurrently; calls on one task run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` is raised.
public final class HolisticLandmarker: VisionTask {
  /// The person in an image; `nil` if there is nobody.
  public typealias Output = Person?

  private let runner: TaskRunner<HolisticLandmarkerPipeline>

  /// The capacity of a batch of images.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }

  /// Creates a holistic landmarker.
  ///
  /// - Throws: `TaskError` if options are out of range, or the bundle lacks one of the models or has others.
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

  /// Returns the person in many images, in order; `load` creates each image from an element of
  /// an asynchronous sequence; see ``Batch``.
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
  /// The person's own left hand; `nil` if it is not seen.
  public var leftHand: HolisticHand?
  /// The person's own right hand; `nil` if it is not seen.
  public var rightHand: HolisticHand?
  /// The face, without a matrix; `nil` if it is not seen.
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

  /// Moves the person to the mirror image of its image.
  mutating func mirror() {
    pose.mirror()
    leftHand?.mirror()
    rightHand?.mirror()
    face?.mirror()
  }
}

/// A hand of a person whose body is known.
public struct HolisticHand: Sendable, Hashable {
  /// The 21 landmarks in the stored image, in the order of ``HandLandmarks/Point``. Depth is measured from the wrist.
  public var landmarks: [NormalizedLandmark]
  /// The same landmarks in world coordinates, in meters, from the middle of the hips, with the wrist where
  /// ``Pose/worldLandmarks`` has it.
  public var worldLandmarks: [Landmark]

  /// Creates a hand.
  public init(landmarks: [NormalizedLandmark], worldLandmarks: [Landmark]) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
  }

  /// Moves the hand to the mirror image of its image.
  mutating func mirror() {
    landmarks.mirror()
    worldLandmarks.mirror()
  }
}
