public import Foundation
public import class MediaPipeTasksCommon.ResultCategory
import SwiftletVision

/// Finds hands in images and says which gestures they make. In videos, hands are followed.
///
/// - Thread safety: callable concurrently; calls on one recognizer run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPGestureRecognizer) @objcMembers
#endif
open class GestureRecognizer: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: all but the delegate, which is set once, are Sendable constants.

  private let modes: TaskInModes<SwiftletVision.GestureRecognizer>
  /// Unchecked because delegates need not be `Sendable`: it is written once, before anyone else has the task, reading a
  /// weak reference is safe on every thread, and it is only called on the task's own queue, as with MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any GestureRecognizerLiveStreamDelegate)?

  /// Creates a recognizer with default options, for single images.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not a bundle of gesture models.
  public convenience init(modelPath: String) throws {
    let options = GestureRecognizerOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a recognizer with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is not
  ///   a bundle of gesture models.
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

  /// The number of frames of the live stream that were ignored because the task was busy: an addition to MediaPipe's
  /// interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Recognizes the gestures in an image of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(recognizeImage:error:)
  #endif
  open func recognize(image: MPImage) throws -> GestureRecognizerResult {
    try reportingTasksErrors { GestureRecognizerResult(try modes.image(image)) }
  }

  /// Recognizes the gestures in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(recognizeVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func recognize(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> GestureRecognizerResult {
    try reportingTasksErrors {
      GestureRecognizerResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Recognizes the gestures in a frame of a live stream. Returns at once; the delegate receives the result. While the task is
  /// busy, the frame is dropped instead.
  ///
  /// - Parameters:
  ///   - image: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in live-stream mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(recognizeAsyncImage:timestampInMilliseconds:error:)
  #endif
  open func recognizeAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try reportingTasksErrors {
      try modes.send(image, at: timestampInMilliseconds)
    }
  }
}

/// How hands and their gestures are looked for.
#if canImport(ObjectiveC)
  @objc(MPPGestureRecognizerOptions) @objcMembers
#endif
open class GestureRecognizerOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var gestureRecognizerLiveStreamDelegate: (any GestureRecognizerLiveStreamDelegate)?
  /// The most hands that are looked for; 1 or more.
  open var numHands = 1
  /// Palms that the detector is less sure of are not looked at; 0…1.
  open var minHandDetectionConfidence: Float = 0.5
  /// Only places where the model sees a hand with more than this confidence count; 0…1.
  open var minHandPresenceConfidence: Float = 0.5
  /// In videos, hands whose regions overlap by more are taken to be one; intersection over union, above 0, at most 1.
  open var minTrackingConfidence: Float = 0.5
  /// The canned gestures that may be reported; `nil` for all. What is assigned is copied.
  open var cannedGesturesClassifierOptions: ClassifierOptions? {
    didSet { cannedGesturesClassifierOptions = cannedGesturesClassifierOptions?.duplicate() }
  }
  /// The gestures of a bundle's custom classifier that may be reported; `nil` for all. What is assigned is copied.
  open var customGesturesClassifierOptions: ClassifierOptions? {
    didSet { customGesturesClassifierOptions = customGesturesClassifierOptions?.duplicate() }
  }

  /// Independent options with the same values and the same delegate.
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

  /// - Throws: `TasksFailure` when there is no model, and with MediaPipe's texts for what it refuses.
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

/// Which categories a classifier may report.
#if canImport(ObjectiveC)
  @objc(MPPClassifierOptions) @objcMembers
#endif
open class ClassifierOptions: NSObject, NSCopying {
  /// The language of display names; `nil` for `en`.
  open var displayNamesLocale: String?
  /// The most categories; negative for all, 0 is an error.
  open var maxResults = -1
  /// Categories with a lower score are left out.
  open var scoreThreshold: Float = 0
  /// When not empty, only these names are reported, whatever the deny list says.
  open var categoryAllowlist: [String]?
  /// These names are not reported.
  open var categoryDenylist: [String]?

  /// Creates options with default values.
  public override init() {}

  /// Independent options with the same values.
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

  /// - Throws: `TasksFailure` with MediaPipe's text for options out of range.
  func values() throws(TasksFailure) -> GestureClassifierOptions {
    // Both lists may be given here.
    try CategoryOptionCheck.check(maxResults: maxResults, allow: [], deny: [], end: ".")
    return .init(
      displayNamesLocale: displayNamesLocale ?? "en", maxResults: maxResults < 0 ? nil : maxResults,
      scoreThreshold: scoreThreshold, categoryAllowlist: categoryAllowlist ?? [],
      categoryDenylist: categoryDenylist ?? [])
  }
}

// Unchecked because its base class is: it has constants only.

/// The hands in an image and their gestures. All lists are empty when no hand has a gesture, as in MediaPipe.
#if canImport(ObjectiveC)
  @objc(MPPGestureRecognizerResult) @objcMembers
#endif
open class GestureRecognizerResult: TaskResult, @unchecked Sendable {
  /// For every hand its gesture, by name and with the index -1; an empty list where a hand has none and another one has
  /// (there MediaPipe leaves the list out, so that the others do not stand next to their hands).
  public let gestures: [[ResultCategory]]
  /// For every hand one category: whether it is the person's `Right` or `Left` hand, in an image that is not mirrored.
  public let handedness: [[ResultCategory]]
  /// 21 points in the image for every hand, in the order of ``HandLandmark``.
  public let landmarks: [[NormalizedLandmark]]
  /// The same landmarks in world coordinates, in meters, from about the hand's middle.
  public let worldLandmarks: [[Landmark]]

  /// Creates a result of these gestures and points.
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

/// Receives the results of a gesture recognizer in live-stream mode.
///
/// The method is called on a serial queue of the task's own, in the order of the frames. There is no call for frames
/// that were dropped because the task was busy. The time is that which the frame was sent with. If the frame failed,
/// the result is `nil`, the time is the least integer, and the error is an `NSError` of the tasks' domain. The method
/// is optional.
#if canImport(ObjectiveC)
  @objc(MPPGestureRecognizerLiveStreamDelegate)
#endif
public protocol GestureRecognizerLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Called with the result or the error of one frame.
    @objc(gestureRecognizer:didFinishRecognitionWithResult:timestampInMilliseconds:error:)
    optional func gestureRecognizer(
      _ gestureRecognizer: GestureRecognizer, didFinishGestureRecognition result: GestureRecognizerResult?,
      timestampInMilliseconds: Int,
      error: (any Error)?)
  #else
    /// Called with the result or the error of one frame.
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
