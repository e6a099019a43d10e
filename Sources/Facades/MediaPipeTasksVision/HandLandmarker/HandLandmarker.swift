public import Foundation
public import class MediaPipeTasksCommon.ResultCategory
import SwiftletVision

/// Finds hands in images: 21 points of each, and whether it is a left or a right one. In videos, hands are followed.
///
/// - Thread safety: callable concurrently; calls on one landmarker run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPHandLandmarker) @objcMembers
#endif
open class HandLandmarker: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: all but the delegate, which is set once, are Sendable constants.

  private let modes: TaskInModes<SwiftletVision.HandLandmarker>
  /// Unchecked because delegates need not be `Sendable`: it is written once, before anyone else has the task, reading a
  /// weak reference is safe on every thread, and it is only called on the task's own queue, as with MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any HandLandmarkerLiveStreamDelegate)?

  /// Creates a landmarker with default options, for single images.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not a bundle of hand models.
  public convenience init(modelPath: String) throws {
    let options = HandLandmarkerOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a landmarker with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is not
  ///   a bundle of hand models.
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

  /// The lines of a drawn palm.
  public static let handPalmConnections: [Connection] = HandLandmarks.palm.map { Connection($0) }
  /// The lines of a drawn thumb.
  public static let handThumbConnections: [Connection] = HandLandmarks.thumb.map { Connection($0) }
  /// The lines of a drawn index finger.
  public static let handIndexFingerConnections: [Connection] = HandLandmarks.indexFinger.map { Connection($0) }
  /// The lines of a drawn middle finger.
  public static let handMiddleFingerConnections: [Connection] = HandLandmarks.middleFinger.map { Connection($0) }
  /// The lines of a drawn ring finger.
  public static let handRingFingerConnections: [Connection] = HandLandmarks.ringFinger.map { Connection($0) }
  /// The lines of a drawn little finger.
  public static let handPinkyConnections: [Connection] = HandLandmarks.pinky.map { Connection($0) }
  /// All lines of a drawn hand.
  public static let handConnections: [Connection] = HandLandmarks.connections.map { Connection($0) }

  /// The number of frames of the live stream that were ignored because the task was busy: an addition to MediaPipe's
  /// interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Finds the hands in an image of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(detectImage:error:)
  #endif
  open func detect(image: MPImage) throws -> HandLandmarkerResult {
    try reportingTasksErrors { HandLandmarkerResult(try modes.image(image)) }
  }

  /// Finds the hands in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func detect(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> HandLandmarkerResult {
    try reportingTasksErrors {
      HandLandmarkerResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Finds the hands in a frame of a live stream. Returns at once; the delegate receives the result. While the task is
  /// busy, the frame is dropped instead.
  ///
  /// - Parameters:
  ///   - image: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in live-stream mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectAsyncImage:timestampInMilliseconds:error:)
  #endif
  open func detectAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try reportingTasksErrors {
      try modes.send(image, at: timestampInMilliseconds)
    }
  }
}

/// How hands are looked for.
#if canImport(ObjectiveC)
  @objc(MPPHandLandmarkerOptions) @objcMembers
#endif
open class HandLandmarkerOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var handLandmarkerLiveStreamDelegate: (any HandLandmarkerLiveStreamDelegate)?
  /// The most hands that are looked for; 1 or more.
  open var numHands = 1
  /// Palms that the detector is less sure of are not looked at; 0…1.
  open var minHandDetectionConfidence: Float = 0.5
  /// Only places where the model sees a hand with more than this confidence count; 0…1.
  open var minHandPresenceConfidence: Float = 0.5
  /// In videos, hands whose regions overlap by more are taken to be one; intersection over union, above 0, at most 1.
  open var minTrackingConfidence: Float = 0.5

  /// Independent options with the same values and the same delegate.
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

  /// - Throws: `TasksFailure` when there is no model, and with MediaPipe's texts for what it refuses.
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

/// The hands in an image.
#if canImport(ObjectiveC)
  @objc(MPPHandLandmarkerResult) @objcMembers
#endif
open class HandLandmarkerResult: TaskResult, @unchecked Sendable {
  /// 21 points in the image for every hand, in the order of ``HandLandmark``; empty when there is none.
  public let landmarks: [[NormalizedLandmark]]
  /// The same landmarks in world coordinates, in meters, from about the hand's middle.
  public let worldLandmarks: [[Landmark]]
  /// For every hand one category: whether it is the person's `Right` or `Left` hand, in an image that is not mirrored.
  public let handedness: [[ResultCategory]]

  /// Creates a result of these points.
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

/// Receives the results of a hand landmarker in live-stream mode.
///
/// The method is called on a serial queue of the task's own, in the order of the frames. There is no call for frames
/// that were dropped because the task was busy. The time is that which the frame was sent with. If the frame failed,
/// the result is `nil`, the time is the least integer, and the error is an `NSError` of the tasks' domain. The method
/// is optional.
#if canImport(ObjectiveC)
  @objc(MPPHandLandmarkerLiveStreamDelegate)
#endif
public protocol HandLandmarkerLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Called with the result or the error of one frame.
    @objc(handLandmarker:didFinishDetectionWithResult:timestampInMilliseconds:error:)
    optional func handLandmarker(
      _ handLandmarker: HandLandmarker, didFinishDetection result: HandLandmarkerResult?, timestampInMilliseconds: Int,
      error: (any Error)?)
  #else
    /// Called with the result or the error of one frame.
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
