public import Foundation
public import class MediaPipeTasksCommon.ResultCategory
import SwiftletVision

/// Detects hands in images and recognizes their gestures. In videos, hands are tracked.
///
/// - Thread safety: callable concurrently; calls on one recognizer run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPGestureRecognizer) @objcMembers
#endif
open class GestureRecognizer: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: all properties except the delegate, which is set once,
  // are `Sendable` constants.

  private let modes: TaskInModes<SwiftletVision.GestureRecognizer>
  /// The delegate, which need not be `Sendable`. `nonisolated(unsafe)` is correct: the property is written once, before
  /// the task is shared; a weak reference can be read on any thread; and the delegate is only called on the task's own
  /// queue, as in MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any GestureRecognizerLiveStreamDelegate)?

  /// Creates a recognizer with default options, for single images.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not a bundle of gesture models.
  public convenience init(modelPath: String) throws {
    let options = GestureRecognizerOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a recognizer with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if options contradict each other, or the model is missing or is not a
  ///   bundle of gesture models.
  public init(options: GestureRecognizerOptions) throws {
    modes = try reportingTasksErrors {
      try options.runningMode.requireDelegate(options.gestureRecognizerLiveStreamDelegate)
      return TaskInModes(
        try SwiftletVision.GestureRecognizer(options: try options.values()), options.runningMode
      ) { task, image, _ in try task.gestures(in: image) }
    }
    liveStreamDelegate = options.gestureRecognizerLiveStreamDelegate
    super.init()
    modes.deliver(to: self, on: options.baseOptions.delegateQueue) { recognizer, result, timestamp, error in
      let deliver = recognizer.liveStreamDelegate?.gestureRecognizer
      deliver?(recognizer, result.map { GestureRecognizerResult($0.output, at: $0.time) }, timestamp, error)
    }
  }

  /// The number of live-stream frames that were dropped because the task was busy. This is an addition to MediaPipe's
  /// API.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Recognizes the gestures in an image of any size; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(recognizeImage:error:)
  #endif
  open func recognize(image: MPImage) throws -> GestureRecognizerResult {
    try reportingTasksErrors { GestureRecognizerResult(try modes.image(image)) }
  }

  /// Recognizes the gestures in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(recognizeVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func recognize(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> GestureRecognizerResult {
    try reportingTasksErrors {
      GestureRecognizerResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Recognizes the gestures in a frame of a live stream. Returns immediately; the delegate receives the result. If the
  /// task is busy, the frame is dropped.
  ///
  /// - Parameters:
  ///   - image: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in live-stream mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(recognizeAsyncImage:timestampInMilliseconds:error:)
  #endif
  open func recognizeAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try reportingTasksErrors {
      try modes.send(image, at: timestampInMilliseconds)
    }
  }
}

/// The options of a gesture recognizer.
#if canImport(ObjectiveC)
  @objc(MPPGestureRecognizerOptions) @objcMembers
#endif
open class GestureRecognizerOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// The delegate that receives the results of a live stream. Must be set in live-stream mode, and only in that mode.
  open weak var gestureRecognizerLiveStreamDelegate: (any GestureRecognizerLiveStreamDelegate)?
  /// The maximum number of hands to detect; at least 1.
  open var numHands = 1
  /// The minimum score of a palm detection, 0…1. Detections with a lower score are ignored.
  open var minHandDetectionConfidence: Float = 0.5
  /// The presence score that the landmark model must exceed for a hand to be returned, 0…1.
  open var minHandPresenceConfidence: Float = 0.5
  /// In videos, the intersection over union above which two regions count as the same hand; above 0, at most 1.
  open var minTrackingConfidence: Float = 0.5
  /// The options for canned gestures; `nil` for all gestures. Setting the property copies the value.
  open var cannedGesturesClassifierOptions: ClassifierOptions? {
    didSet { cannedGesturesClassifierOptions = cannedGesturesClassifierOptions?.duplicate() }
  }
  /// The options for the gestures of the bundle's custom classifier; `nil` for all gestures. Setting the property
  /// copies the value.
  open var customGesturesClassifierOptions: ClassifierOptions? {
    didSet { customGesturesClassifierOptions = customGesturesClassifierOptions?.duplicate() }
  }

  /// Returns independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = GestureRecognizerOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.gestureRecognizerLiveStreamDelegate = gestureRecognizerLiveStreamDelegate
    copy.numHands = numHands
    copy.minHandDetectionConfidence = minHandDetectionConfidence
    copy.minHandPresenceConfidence = minHandPresenceConfidence
    copy.minTrackingConfidence = minTrackingConfidence
    copy.cannedGesturesClassifierOptions = cannedGesturesClassifierOptions
    copy.customGesturesClassifierOptions = customGesturesClassifierOptions
    return copy
  }

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if there is no model, and with MediaPipe's texts for invalid values.
  func values() throws(TasksFailure) -> SwiftletVision.GestureRecognizerOptions {
    let base = try baseOptions.values()
    try LandmarkOptionCheck.check(count: numHands, presence: minHandPresenceConfidence)
    return .init(
      baseOptions: base, maxHands: numHands,
      minDetectionConfidence: minHandDetectionConfidence, minPresenceConfidence: minHandPresenceConfidence,
      minTrackingConfidence: minTrackingConfidence,
      cannedGestures: try (cannedGesturesClassifierOptions ?? ClassifierOptions()).values(),
      customGestures: try (customGesturesClassifierOptions ?? ClassifierOptions()).values())
  }
}

/// The options for selecting categories.
#if canImport(ObjectiveC)
  @objc(MPPClassifierOptions) @objcMembers
#endif
open class ClassifierOptions: NSObject, NSCopying {
  /// The locale of display names; `nil` for `en`.
  open var displayNamesLocale: String?
  /// The maximum number of categories; negative for all. 0 is an error.
  open var maxResults = -1
  /// The minimum score. Categories with a lower score are not reported.
  open var scoreThreshold: Float = 0
  /// If not empty, the names of the only categories to report. The denylist is then ignored.
  open var categoryAllowlist: [String]?
  /// The names of categories that are not reported.
  open var categoryDenylist: [String]?

  /// Creates options with default values.
  public override init() {}

  /// Returns independent options with the same values.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> ClassifierOptions {
    let copy = ClassifierOptions()
    copy.displayNamesLocale = displayNamesLocale
    copy.maxResults = maxResults
    copy.scoreThreshold = scoreThreshold
    copy.categoryAllowlist = categoryAllowlist
    copy.categoryDenylist = categoryDenylist
    return copy
  }

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` with MediaPipe's text for options out of range.
  func values() throws(TasksFailure) -> GestureClassifierOptions {
    // Both lists may be given in these options.
    try CategoryOptionCheck.check(maxResults: maxResults, allow: [], deny: [], end: ".")
    return .init(
      displayNamesLocale: displayNamesLocale ?? "en", maxResults: maxResults < 0 ? nil : maxResults,
      scoreThreshold: scoreThreshold, categoryAllowlist: categoryAllowlist ?? [],
      categoryDenylist: categoryDenylist ?? [])
  }
}

// Unchecked because its base class is: it has constants only.

/// The result of a gesture recognizer. All lists are empty if no hand has a gesture, as in MediaPipe.
#if canImport(ObjectiveC)
  @objc(MPPGestureRecognizerResult) @objcMembers
#endif
open class GestureRecognizerResult: TaskResult, @unchecked Sendable {
  /// The gesture of every hand, by name and with the index -1. If a hand has none and another one has, the list of the
  /// first hand is empty. (MediaPipe omits the list, so that the other gestures do not match their hands.)
  public let gestures: [[ResultCategory]]
  /// The handedness of every hand, one category each: the person's `Right` or `Left` hand, in an image that is not
  /// mirrored.
  public let handedness: [[ResultCategory]]
  /// The 21 landmarks of every hand in the image, in the order of ``HandLandmark``.
  public let landmarks: [[NormalizedLandmark]]
  /// The world landmarks, in meters, relative to the approximate center of the hand.
  public let worldLandmarks: [[Landmark]]

  /// Creates a result with the given gestures and landmarks.
  public init(
    gestures: [[ResultCategory]], handedness: [[ResultCategory]], landmarks: [[NormalizedLandmark]],
    worldLandmarks: [[Landmark]], timestampInMilliseconds: Int
  ) {
    self.gestures = gestures
    self.handedness = handedness
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: [RecognizedHand], time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: [RecognizedHand], at time: Duration) {
    let hands = value.allSatisfy { $0.gesture == nil } ? [] : value
    self.init(
      gestures: hands.map { $0.gesture.map { [ResultCategory($0)] } ?? [] },
      handedness: hands.map { [ResultCategory(handednessOf: $0.hand)] },
      landmarks: hands.map { $0.hand.landmarks.map { NormalizedLandmark($0) } },
      worldLandmarks: hands.map { $0.hand.worldLandmarks.map { Landmark($0) } },
      timestampInMilliseconds: time.inMilliseconds)
  }
}

/// A delegate that receives the results of a gesture recognizer in live-stream mode.
///
/// The method is called on a serial queue of the task, in the order of the frames. It is not called for frames that
/// were dropped because the task was busy. The timestamp is that of the frame. If the frame failed, the result is
/// `nil`, the timestamp is `Int.min`, and the error is an `NSError` in the tasks' domain. The method is optional.
#if canImport(ObjectiveC)
  @objc(MPPGestureRecognizerLiveStreamDelegate)
#endif
public protocol GestureRecognizerLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Receives the result or the error of one frame.
    @objc(gestureRecognizer:didFinishRecognitionWithResult:timestampInMilliseconds:error:)
    optional func gestureRecognizer(
      _ gestureRecognizer: GestureRecognizer, didFinishGestureRecognition result: GestureRecognizerResult?,
      timestampInMilliseconds: Int,
      error: (any Error)?)
  #else
    /// Receives the result or the error of one frame.
    func gestureRecognizer(
      _ gestureRecognizer: GestureRecognizer, didFinishGestureRecognition result: GestureRecognizerResult?,
      timestampInMilliseconds: Int,
      error: (any Error)?)
  #endif
}

#if !canImport(ObjectiveC)
  extension GestureRecognizerLiveStreamDelegate {
    /// Ignores the result.
    public func gestureRecognizer(
      _ gestureRecognizer: GestureRecognizer, didFinishGestureRecognition result: GestureRecognizerResult?,
      timestampInMilliseconds: Int,
      error: (any Error)?
    ) {}
  }
#endif
