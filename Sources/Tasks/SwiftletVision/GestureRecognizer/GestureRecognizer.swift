public import SwiftletImage
public import SwiftletTasks

/// The gestures that a classifier of a ``GestureRecognizer`` may report.
public struct GestureClassifierOptions: Sendable, Hashable {
  /// The locale of display names. Gestures are reported by category name only, as in MediaPipe.
  public var displayNamesLocale: String
  /// The maximum number of gestures to consider, at least 1; `nil` for all. It has no effect, because only the best
  /// gesture is reported.
  public var maxResults: Int?
  /// The minimum score. Gestures with a lower score are not reported.
  public var scoreThreshold: Float
  /// If not empty, the names of the only gestures to report. The denylist is then ignored.
  public var categoryAllowlist: [String]
  /// The names of gestures that are not reported.
  public var categoryDenylist: [String]

  /// Creates options. Parameters that you omit have their default values.
  public init(
    displayNamesLocale: String = "en", maxResults: Int? = nil, scoreThreshold: Float = 0,
    categoryAllowlist: [String] = [], categoryDenylist: [String] = []
  ) {
    self.displayNamesLocale = displayNamesLocale
    self.maxResults = maxResults
    self.scoreThreshold = scoreThreshold
    self.categoryAllowlist = categoryAllowlist
    self.categoryDenylist = categoryDenylist
  }

  /// The options for decoding a classifier's output. Unlike other tasks, both lists may be given.
  var categories: CategoryOptions {
    CategoryOptions(
      displayNamesLocale: displayNamesLocale, maxResults: maxResults, scoreThreshold: scoreThreshold,
      allowlist: categoryAllowlist, denylist: categoryAllowlist.isEmpty ? categoryDenylist : [])
  }
}

/// The options of a ``GestureRecognizer``.
public struct GestureRecognizerOptions: Sendable, Hashable {
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
  /// The landmarks that are smoothed over the frames of a video. Gestures are recognized from the smoothed landmarks.
  public var smoothing: LandmarkSmoothing
  /// The canned gestures that may be reported.
  public var cannedGestures: GestureClassifierOptions
  /// The custom gestures that may be reported, if the bundle has a custom classifier.
  public var customGestures: GestureClassifierOptions

  /// Creates options. Parameters that you omit have their default values.
  public init(
    baseOptions: BaseOptions, maxHands: Int = 1,
    minDetectionConfidence: Float = 0.5, minPresenceConfidence: Float = 0.5, minTrackingConfidence: Float = 0.5,
    smoothing: LandmarkSmoothing = .off, cannedGestures: GestureClassifierOptions = GestureClassifierOptions(),
    customGestures: GestureClassifierOptions = GestureClassifierOptions()
  ) {
    self.baseOptions = baseOptions
    self.maxHands = maxHands
    self.minDetectionConfidence = minDetectionConfidence
    self.minPresenceConfidence = minPresenceConfidence
    self.minTrackingConfidence = minTrackingConfidence
    self.smoothing = smoothing
    self.cannedGestures = cannedGestures
    self.customGestures = customGestures
  }

  /// The options of the hand landmarker.
  var hands: HandLandmarkerOptions {
    HandLandmarkerOptions(
      baseOptions: baseOptions, maxHands: maxHands,
      minDetectionConfidence: minDetectionConfidence, minPresenceConfidence: minPresenceConfidence,
      minTrackingConfidence: minTrackingConfidence, smoothing: smoothing)
  }

  func validate() throws(TaskError) {
    try hands.validate()
    try cannedGestures.categories.validate()
    try customGestures.categories.validate()
  }
}

/// Detects hands and recognizes their gestures, such as `Thumb_Up`.
///
/// ```swift
/// let recognizer = try GestureRecognizer(.file("gesture_recognizer.task"))
/// for found in try recognizer.gestures(in: image) { print(found.hand.handedness, found.gesture?.name ?? "no gesture") }
/// ```
/// The bundle contains two bundles: `hand_landmarker.task`, as for ``HandLandmarker``, and
/// `hand_gesture_recognizer.task` with the members `gesture_embedder.tflite`, `canned_gesture_classifier.tflite`, and
/// for custom gestures `custom_gesture_classifier.tflite`.
///
/// - Thread safety: callable concurrently; calls on one task run one at a time, unless `BaseOptions.maxConcurrentCalls`
///   is raised.
public final class GestureRecognizer: VisionTask {
  /// The hands of an image with their gestures: tracked ones first, then new ones, best first.
  public typealias Output = [RecognizedHand]

  private let runner: TaskRunner<GestureRecognizerPipeline>

  /// The capacity of a batch of images.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }

  /// Creates a gesture recognizer.
  ///
  /// - Throws: `TaskError` if options are out of range, or the bundle or a model in it is missing or is not a gesture
  ///   model.
  public init(options: GestureRecognizerOptions) throws(TaskError) {
    try options.validate()
    runner = try TaskRunner(options.baseOptions, name: "gestureRecognizer") {
      try GestureRecognizerPipeline(options, $0)
    }
  }

  /// Creates a gesture recognizer with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout GestureRecognizerOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = GestureRecognizerOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  // MARK: Images

  /// Returns the gestures in an image; blocks until done.
  ///
  /// - Parameter image: An image of any size, in any orientation.
  /// - Throws: `TaskError` if the model cannot run. The next call may succeed.
  public func gestures(in image: InputImage) throws(TaskError) -> [RecognizedHand] {
    try runner.output(for: VisionInput(image))
  }

  /// Returns the gestures in an image, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func gestures(in image: InputImage, priority: TaskPriority) async throws -> [RecognizedHand] {
    try await runner.output(for: VisionInput(image), priority: priority)
  }

  /// Returns the gestures in many images, in order; see ``Batch``.
  public func gestures(inContentsOf images: some Sequence<InputImage> & Sendable) -> Batch<InputImage, [RecognizedHand]>
  {
    runner.batch(BatchSources(images)) { VisionInput($0) }
  }

  /// Returns the gestures in many images, in order; `load` creates each image; see ``Batch``.
  public func gestures<Sources: Sequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, [RecognizedHand]> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  /// Returns the gestures in many images, in order; `load` creates each image from an element of an asynchronous
  /// sequence; see ``Batch``.
  public func gestures<Sources: AsyncSequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, [RecognizedHand]> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  // MARK: Videos and cameras

  /// Opens a session for the frames of one video.
  public func video() -> VideoSession<GestureRecognizer> { VideoSession(runner.session()) }
}

extension VideoSession where SomeTask == GestureRecognizer {
  /// Returns the gestures in the next frame of the video; blocks until done.
  ///
  /// - Parameters:
  ///   - frame: The frame, in any orientation.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: `TaskError`, such as `timeNotIncreasing`. The session is then unchanged.
  public func gestures(in frame: InputImage, at time: Duration) throws(TaskError) -> [RecognizedHand] {
    try output(for: frame, at: time)
  }

  /// Returns the gestures in the next frame of the video, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func gestures(
    in frame: InputImage, at time: Duration, priority: TaskPriority
  ) async throws -> [RecognizedHand] {
    try await output(for: frame, at: time, priority: priority)
  }
}

/// A gesture of a hand, such as `Thumb_Up`.
public struct Gesture: Sendable, Hashable {
  /// The name of the gesture in the model's label file; `None` for a hand that makes no gesture.
  public var name: String
  /// The score of the gesture, 0…1.
  public var score: Float

  /// Creates a gesture.
  public init(name: String, score: Float) {
    self.name = name
    self.score = score
  }
}

/// A hand in an image and its gesture.
public struct RecognizedHand: Sendable, Hashable {
  /// The hand.
  public var hand: Hand
  /// The gesture; `nil` if no gesture passes the options.
  public var gesture: Gesture?

  /// Creates a hand with its gesture.
  public init(hand: Hand, gesture: Gesture?) {
    self.hand = hand
    self.gesture = gesture
  }
}
