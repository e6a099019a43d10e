public import SwiftletImage
public import SwiftletTasks

/// The options of a ``HandLandmarker``.
public struct HandLandmarkerOptions: Sendable, Hashable {
  /// The model bundle, and how the models run.
  public var baseOptions: BaseOptions
  /// The maximum number of hands to detect; at least 1.
  public var maxHands: Int
  /// The minimum score of a palm detection, 0…1. Detections with a lower score are ignored.
  public var minDetectionConfidence: Float
  /// The presence score that the landmark model must exceed for a hand to be returned, 0…1.
  public var minPresenceConfidence: Float
  /// In videos, the intersection over union above which two regions count as the same hand; above 0, at most 1.
  public var minTrackingConfidence: Float
  /// The landmarks that are smoothed over the frames of a video. MediaPipe doesn't smooth hand landmarks.
  public var smoothing: LandmarkSmoothing

  /// Creates options. Parameters that you omit have their default values.
  public init(
    baseOptions: BaseOptions, maxHands: Int = 1,
    minDetectionConfidence: Float = 0.5, minPresenceConfidence: Float = 0.5, minTrackingConfidence: Float = 0.5,
    smoothing: LandmarkSmoothing = .off
  ) {
    self.baseOptions = baseOptions
    self.maxHands = maxHands
    self.minDetectionConfidence = minDetectionConfidence
    self.minPresenceConfidence = minPresenceConfidence
    self.minTrackingConfidence = minTrackingConfidence
    self.smoothing = smoothing
  }

  func validate() throws(TaskError) {
    guard maxHands > 0 else {
      throw TaskError(.invalidOption, "maxHands must be at least 1, got \(maxHands)")
    }
    try ConfidenceOption.check(minDetectionConfidence, "minDetectionConfidence")
    try ConfidenceOption.check(minPresenceConfidence, "minPresenceConfidence")
    try ConfidenceOption.check(minTrackingConfidence, "minTrackingConfidence")
    guard minTrackingConfidence > 0 else {
      throw TaskError(.invalidOption, "minTrackingConfidence must be greater than 0, got 0: hands always overlap by 0")
    }
  }
}

/// Detects hands and their 21 landmarks, world landmarks, and handedness. In videos, hands are tracked.
///
/// ```swift
/// let landmarker = try HandLandmarker(.file("hand_landmarker.task")) { $0.maxHands = 2 }
/// for hand in try landmarker.hands(in: image) { print(hand.handedness, hand[.indexFingerTip]) }
/// ```
/// The bundle has the members `hand_detector.tflite` and `hand_landmarks_detector.tflite`.
///
/// - Thread safety: callable concurrently; calls on one task run one at a time, unless `BaseOptions.maxConcurrentCalls`
///   is raised.
public final class HandLandmarker: VisionTask {
  /// The hands of an image: tracked ones first, then new ones, best first.
  public typealias Output = [Hand]

  private let runner: TaskRunner<HandLandmarkerPipeline>

  /// The capacity of a batch of images.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }

  /// Creates a hand landmarker.
  ///
  /// - Throws: `TaskError` if options are out of range, or the bundle or a model in it is missing or is not a hand
  ///   model.
  public init(options: HandLandmarkerOptions) throws(TaskError) {
    try options.validate()
    runner = try TaskRunner(options.baseOptions, name: "handLandmarker") { try HandLandmarkerPipeline(options, $0) }
  }

  /// Creates a hand landmarker with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout HandLandmarkerOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = HandLandmarkerOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  // MARK: Images

  /// Returns the hands in an image; blocks until done.
  ///
  /// - Parameter image: An image of any size, in any orientation.
  /// - Throws: `TaskError` if the model cannot run. The next call may succeed.
  public func hands(in image: InputImage) throws(TaskError) -> [Hand] {
    try runner.output(for: VisionInput(image))
  }

  /// Returns the hands in an image, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func hands(in image: InputImage, priority: TaskPriority) async throws -> [Hand] {
    try await runner.output(for: VisionInput(image), priority: priority)
  }

  /// Returns the hands in many images, in order; see ``Batch``.
  public func hands(inContentsOf images: some Sequence<InputImage> & Sendable) -> Batch<InputImage, [Hand]> {
    runner.batch(BatchSources(images)) { VisionInput($0) }
  }

  /// Returns the hands in many images, in order; `load` creates each image; see ``Batch``.
  public func hands<Sources: Sequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, [Hand]> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  /// Returns the hands in many images, in order; `load` creates each image from an element of an asynchronous sequence;
  /// see ``Batch``.
  public func hands<Sources: AsyncSequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, [Hand]> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  // MARK: Videos and cameras

  /// Opens a session for the frames of one video.
  public func video() -> VideoSession<HandLandmarker> { VideoSession(runner.session()) }
}

extension VideoSession where SomeTask == HandLandmarker {
  /// Returns the hands in the next frame of the video; blocks until done.
  ///
  /// - Parameters:
  ///   - frame: The frame, in any orientation.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: `TaskError`, such as `timeNotIncreasing`. The session is then unchanged.
  public func hands(in frame: InputImage, at time: Duration) throws(TaskError) -> [Hand] {
    try output(for: frame, at: time)
  }

  /// Returns the hands in the next frame of the video, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func hands(
    in frame: InputImage, at time: Duration, priority: TaskPriority
  ) async throws -> [Hand] {
    try await output(for: frame, at: time, priority: priority)
  }
}

/// A hand in an image.
public struct Hand: Sendable, Hashable {
  /// The 21 landmarks in the stored image, in the order of ``HandLandmarks/Point``. Depth is relative to the wrist.
  /// They have neither visibility nor presence.
  public var landmarks: [NormalizedLandmark]
  /// The world landmarks, in meters, relative to the approximate center of the hand and oriented as in the stored
  /// image.
  public var worldLandmarks: [Landmark]
  /// The handedness: the person's left or right hand.
  public var handedness: Handedness
  /// The confidence of ``handedness``, 0.5…1.
  public var handednessScore: Float

  /// Creates a hand.
  public init(
    landmarks: [NormalizedLandmark], worldLandmarks: [Landmark], handedness: Handedness, handednessScore: Float
  ) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
    self.handedness = handedness
    self.handednessScore = handednessScore
  }

  /// The position of a landmark in the stored image; `nil` if the hand has fewer landmarks.
  public subscript(point: HandLandmarks.Point) -> NormalizedLandmark? {
    landmarks.indices.contains(point.rawValue) ? landmarks[point.rawValue] : nil
  }
}

/// The handedness: a left or a right hand.
public enum Handedness: Sendable, Hashable, CaseIterable {
  /// The person's right hand.
  case right
  /// The person's left hand.
  case left
}

extension Hand {
  /// The approximate size of a hand in a result, with its handedness and gesture, in bytes.
  static let byteCount =
    HandLandmarks.count * (MemoryLayout<NormalizedLandmark>.stride + MemoryLayout<Landmark>.stride) + 512

  /// Transforms the hand to that of the mirror image.
  mutating func mirror() {
    landmarks.mirror()
    worldLandmarks.mirror()
  }
}
