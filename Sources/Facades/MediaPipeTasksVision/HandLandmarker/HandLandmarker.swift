public import Foundation
public import class MediaPipeTasksCommon.ResultCategory
import SwiftletVision

/// Detects hands in images, with 21 landmarks and the handedness of each. In videos, hands are tracked.
///
/// - Thread safety: callable concurrently; calls on one landmarker run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPHandLandmarker) @objcMembers
#endif
open class HandLandmarker: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: all properties except the delegate, which is set once,
  // are `Sendable` constants.

  private let modes: TaskInModes<SwiftletVision.HandLandmarker>
  /// The delegate, which need not be `Sendable`. `nonisolated(unsafe)` is correct: the property is written once, before
  /// the task is shared; a weak reference can be read on any thread; and the delegate is only called on the task's own
  /// queue, as in MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any HandLandmarkerLiveStreamDelegate)?

  /// Creates a landmarker with default options, for single images.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not a bundle of hand models.
  public convenience init(modelPath: String) throws {
    let options = HandLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a landmarker with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if options contradict each other, or the model is missing or is not a
  ///   bundle of hand models.
  public init(options: HandLandmarkerOptions) throws {
    modes = try reportingTasksErrors {
      try options.runningMode.requireDelegate(options.handLandmarkerLiveStreamDelegate)
      return TaskInModes(
        try SwiftletVision.HandLandmarker(options: try options.values()), options.runningMode
      ) { task, image, _ in try task.hands(in: image) }
    }
    liveStreamDelegate = options.handLandmarkerLiveStreamDelegate
    super.init()
    modes.deliver(to: self, on: options.baseOptions.delegateQueue) { landmarker, result, timestamp, error in
      let deliver = landmarker.liveStreamDelegate?.handLandmarker
      deliver?(landmarker, result.map { HandLandmarkerResult($0.output, at: $0.time) }, timestamp, error)
    }
  }

  /// The connections of the palm.
  public static let handPalmConnections: [Connection] = HandLandmarks.palm.map { Connection($0) }
  /// The connections of the thumb.
  public static let handThumbConnections: [Connection] = HandLandmarks.thumb.map { Connection($0) }
  /// The connections of the index finger.
  public static let handIndexFingerConnections: [Connection] = HandLandmarks.indexFinger.map { Connection($0) }
  /// The connections of the middle finger.
  public static let handMiddleFingerConnections: [Connection] = HandLandmarks.middleFinger.map { Connection($0) }
  /// The connections of the ring finger.
  public static let handRingFingerConnections: [Connection] = HandLandmarks.ringFinger.map { Connection($0) }
  /// The connections of the little finger.
  public static let handPinkyConnections: [Connection] = HandLandmarks.pinky.map { Connection($0) }
  /// All connections of a hand.
  public static let handConnections: [Connection] = HandLandmarks.connections.map { Connection($0) }

  /// The number of live-stream frames that were dropped because the task was busy. This is an addition to MediaPipe's
  /// API.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Detects the hands in an image of any size; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(detectImage:error:)
  #endif
  open func detect(image: MPImage) throws -> HandLandmarkerResult {
    try reportingTasksErrors { HandLandmarkerResult(try modes.image(image)) }
  }

  /// Detects the hands in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func detect(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> HandLandmarkerResult {
    try reportingTasksErrors {
      HandLandmarkerResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Detects the hands in a frame of a live stream. Returns immediately; the delegate receives the result. If the task
  /// is busy, the frame is dropped.
  ///
  /// - Parameters:
  ///   - image: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in live-stream mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectAsyncImage:timestampInMilliseconds:error:)
  #endif
  open func detectAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try reportingTasksErrors {
      try modes.send(image, at: timestampInMilliseconds)
    }
  }
}

/// The options of a hand landmarker.
#if canImport(ObjectiveC)
  @objc(MPPHandLandmarkerOptions) @objcMembers
#endif
open class HandLandmarkerOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// The delegate that receives the results of a live stream. Must be set in live-stream mode, and only in that mode.
  open weak var handLandmarkerLiveStreamDelegate: (any HandLandmarkerLiveStreamDelegate)?
  /// The maximum number of hands to detect; at least 1.
  open var numHands = 1
  /// The minimum score of a palm detection, 0…1. Detections with a lower score are ignored.
  open var minHandDetectionConfidence: Float = 0.5
  /// The presence score that the landmark model must exceed for a hand to be returned, 0…1.
  open var minHandPresenceConfidence: Float = 0.5
  /// In videos, the intersection over union above which two regions count as the same hand; above 0, at most 1.
  open var minTrackingConfidence: Float = 0.5

  /// Returns independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = HandLandmarkerOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.handLandmarkerLiveStreamDelegate = handLandmarkerLiveStreamDelegate
    copy.numHands = numHands
    copy.minHandDetectionConfidence = minHandDetectionConfidence
    copy.minHandPresenceConfidence = minHandPresenceConfidence
    copy.minTrackingConfidence = minTrackingConfidence
    return copy
  }

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if there is no model, and with MediaPipe's texts for invalid values.
  func values() throws(TasksFailure) -> SwiftletVision.HandLandmarkerOptions {
    let base = try baseOptions.values()
    try LandmarkOptionCheck.check(count: numHands, presence: minHandPresenceConfidence)
    return .init(
      baseOptions: base, maxHands: numHands,
      minDetectionConfidence: minHandDetectionConfidence, minPresenceConfidence: minHandPresenceConfidence,
      minTrackingConfidence: minTrackingConfidence)
  }
}

// Unchecked because its base class is: it has constants only.

/// The result of a hand landmarker.
#if canImport(ObjectiveC)
  @objc(MPPHandLandmarkerResult) @objcMembers
#endif
open class HandLandmarkerResult: TaskResult, @unchecked Sendable {
  /// The 21 landmarks of every hand in the image, in the order of ``HandLandmark``; empty if there are no hands.
  public let landmarks: [[NormalizedLandmark]]
  /// The world landmarks, in meters, relative to the approximate center of the hand.
  public let worldLandmarks: [[Landmark]]
  /// The handedness of every hand, one category each: the person's `Right` or `Left` hand, in an image that is not
  /// mirrored.
  public let handedness: [[ResultCategory]]

  /// Creates a result with the given landmarks.
  public init(
    landmarks: [[NormalizedLandmark]], worldLandmarks: [[Landmark]], handedness: [[ResultCategory]],
    timestampInMilliseconds: Int
  ) {
    self.landmarks = landmarks
    self.worldLandmarks = worldLandmarks
    self.handedness = handedness
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: [Hand], time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: [Hand], at time: Duration) {
    self.init(
      landmarks: value.map { $0.landmarks.map { NormalizedLandmark($0) } },
      worldLandmarks: value.map { $0.worldLandmarks.map { Landmark($0) } },
      handedness: value.map { [ResultCategory(handednessOf: $0)] },
      timestampInMilliseconds: time.inMilliseconds)
  }
}

/// A delegate that receives the results of a hand landmarker in live-stream mode.
///
/// The method is called on a serial queue of the task, in the order of the frames. It is not called for frames that
/// were dropped because the task was busy. The timestamp is that of the frame. If the frame failed, the result is
/// `nil`, the timestamp is `Int.min`, and the error is an `NSError` in the tasks' domain. The method is optional.
#if canImport(ObjectiveC)
  @objc(MPPHandLandmarkerLiveStreamDelegate)
#endif
public protocol HandLandmarkerLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Receives the result or the error of one frame.
    @objc(handLandmarker:didFinishDetectionWithResult:timestampInMilliseconds:error:)
    optional func handLandmarker(
      _ handLandmarker: HandLandmarker, didFinishDetection result: HandLandmarkerResult?, timestampInMilliseconds: Int,
      error: (any Error)?)
  #else
    /// Receives the result or the error of one frame.
    func handLandmarker(
      _ handLandmarker: HandLandmarker, didFinishDetection result: HandLandmarkerResult?, timestampInMilliseconds: Int,
      error: (any Error)?)
  #endif
}

#if !canImport(ObjectiveC)
  extension HandLandmarkerLiveStreamDelegate {
    /// Ignores the result.
    public func handLandmarker(
      _ handLandmarker: HandLandmarker, didFinishDetection result: HandLandmarkerResult?, timestampInMilliseconds: Int,
      error: (any Error)?
    ) {}
  }
#endif
