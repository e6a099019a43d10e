public import SwiftletImage
public import SwiftletTasks

/// The gestures that a classifier of a ``GestureRecognizer`` may report.
public struct GestureClassifierOptions: Sendable, Hashable {
  /// The language of display names. Gestures are reported by name only, as in MediaPipe.
  public var displayNamesLocale: String
  /// The most gestures that are looked at, 1 or more; `nil` for all. As the best one counts, it changes nothing.
  public var maxResults: Int?
  /// Gestures with a lower score are left out.
  public var scoreThreshold: Float
  /// When not empty, only these names are reported, whatever the deny list says.
  public var categoryAllowlist: [String]
  /// These names are not reported.
  public var categoryDenylist: [String]

  /// Creates options; those that are not given have their defaults.
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

  /// What a classifier's output is read with: here both lists may be given.
  var categories: CategoryOptions {
    CategoryOptions(
      displayNamesLocale: displayNamesLocale, maxResults: maxResults, scoreThreshold: scoreThreshold,
      allowlist: categoryAllowlist, denylist: categoryAllowlist.isEmpty ? categoryDenylist : [])
  }
}

/// The options of a ``GestureRecognizer``.
public struct GestureRecognizerOptions: Sendable, Hashable {
  /// The bundle of all models, and how they are run.
  public var baseOptions: BaseOptions
  /// The most hands that are looked for; 1 or more.
  public var maxHands: Int
  /// Palms that the detector is less sure of are not looked at; 0…1.
  public var minDetectionConfidence: Float
  /// Only places where the model sees a hand with more than this confidence count; 0…1.
  public var minPresenceConfidence: Float
  /// In videos, hands whose regions overlap by more are taken to be one; intersection over union, above 0, at most 1.
  public var minTrackingConfidence: Float
  /// The landmarks that are smoothed over the frames of a video. Gestures are recognized from what is reported.
  public var smoothing: LandmarkSmoothing
  /// The canned gestures that may be reported.
  public var cannedGestures: GestureClassifierOptions
  /// The gestures of a bundle's custom classifier that may be reported, if it has one.
  public var customGestures: GestureClassifierOptions

  /// Creates options; those that are not given have their defaults.
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
/// The bundle has two bundles in it: `hand_landmarker.task`, as ``HandLandmarker`` takes it, and
/// `hand_gesture_recognizer.task` with the members `gesture_embedder.tflite`, `canned_gesture_classifier.tflite`, and for
/// custom gestures `custom_gesture_classifier.tflite`.
///
/// - Thread safety: callable concurrently; calls on one task run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class GestureRecognizer: VisionTask {
  /// The hands of an image with their gestures: tracked ones first, then new ones, best first.
  public typealias Output = [RecognizedHand]

  private let runner: TaskRunner<GestureRecognizerPipeline>

  /// The number of images of a batch that the task takes.
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
  /// - Throws: `TaskError`, as ``init(options:)``.
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
  /// - Throws: `TaskError`, as the blocking form, and `CancellationError` if the caller is cancelled.
  public func gestures(in image: InputImage, priority: TaskPriority) async throws -> [RecognizedHand] {
    try await runner.output(for: VisionInput(image), priority: priority)
  }

  /// Returns the gestures in many images, in their order; see ``Batch``.
  public func gestures(inContentsOf images: some Sequence<InputImage> & Sendable) -> Batch<InputImage, [RecognizedHand]>
  {
    runner.batch(BatchSources(images)) { VisionInput($0) }
  }

  /// Returns the gestures in many images, in their order, each image made by `load`; see ``Batch``.
  public func gestures<Sources: Sequence & Sendable>(
    inContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, [RecognizedHand]> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  /// Returns the gestures in many images, in their order, each image made by `load` from an element of
  /// an asynchronous sequence; see ``Batch``.
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
  ///   - time: The time of the frame, later than the time of the frame before.
  /// - Throws: `TaskError`, such as `timeNotIncreasing`. The session is then as before the call.
  public func gestures(in frame: InputImage, at time: Duration) throws(TaskError) -> [RecognizedHand] {
    try output(for: frame, at: time)
  }

  /// Returns the gestures in the next frame of the video, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, as the blocking form, and `CancellationError` if the caller is cancelled.
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
