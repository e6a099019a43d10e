public import Foundation
import SwiftletVision

/// Finds faces in images.
///
/// - Thread safety: callable concurrently; calls on one detector run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPFaceDetector) @objcMembers
#endif
open class FaceDetector: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: all but the delegate, which is set once, are Sendable constants.

  private let modes: TaskInModes<SwiftletVision.FaceDetector>
  /// Unchecked because delegates need not be `Sendable`: it is written once, before anyone else has the task, reading a
  /// weak reference is safe on every thread, and it is only called on the task's own queue, as with MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any FaceDetectorLiveStreamDelegate)?

  /// Creates a detector with default options, for single images.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not a face detection model.
  public convenience init(modelPath: String) throws {
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a detector with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is not
  ///   a face detection model.
  public init(options: FaceDetectorOptions) throws {
    modes = try reportingTasksErrors {
      try options.runningMode.requireDelegate(options.faceDetectorLiveStreamDelegate)
      return TaskInModes(
        try SwiftletVision.FaceDetector(options: try options.values()), options.runningMode
      ) { try $0.faces(in: $1, region: $2) }
    }
    liveStreamDelegate = options.faceDetectorLiveStreamDelegate
    super.init()
    modes.deliver(to: self, on: options.baseOptions.delegateQueue) { detector, result, timestamp, error in
      let deliver = detector.liveStreamDelegate?.faceDetector
      deliver?(detector, result.map { FaceDetectorResult($0.output, at: $0.time) }, timestamp, error)
    }
  }

  /// The number of frames of the live stream that were ignored because the task was busy: an addition to MediaPipe's
  /// interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Finds the faces in an image of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(detectImage:error:)
  #endif
  open func detect(image: MPImage) throws -> FaceDetectorResult {
    try reportingTasksErrors { FaceDetectorResult(try modes.image(image)) }
  }

  /// Finds the faces in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func detect(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> FaceDetectorResult {
    try reportingTasksErrors {
      FaceDetectorResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Finds the faces in a frame of a live stream. Returns at once; the delegate receives the result. While the task is
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

/// How faces are looked for.
#if canImport(ObjectiveC)
  @objc(MPPFaceDetectorOptions) @objcMembers
#endif
open class FaceDetectorOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var faceDetectorLiveStreamDelegate: (any FaceDetectorLiveStreamDelegate)?
  /// Faces with a lower score are left out; 0…1.
  open var minDetectionConfidence: Float = 0.5
  /// Faces that overlap by more are taken to be one; intersection over union, 0…1.
  open var minSuppressionThreshold: Float = 0.3

  /// Independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = FaceDetectorOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.faceDetectorLiveStreamDelegate = faceDetectorLiveStreamDelegate
    copy.minDetectionConfidence = minDetectionConfidence
    copy.minSuppressionThreshold = minSuppressionThreshold
    return copy
  }

  /// - Throws: `TasksFailure` when there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.FaceDetectorOptions {
    .init(
      baseOptions: try baseOptions.values(),
      minDetectionConfidence: minDetectionConfidence, minSuppressionThreshold: minSuppressionThreshold)
  }
}

// Unchecked because its base class is: it has constants only.

/// The faces in an image.
#if canImport(ObjectiveC)
  @objc(MPPFaceDetectorResult) @objcMembers
#endif
open class FaceDetectorResult: TaskResult, @unchecked Sendable {
  /// One per face, best first; empty when there is none. Each has one category with index 0 and no name, and six
  /// keypoints: left eye, right eye, nose tip, mouth, left and right tragion, as the observer sees them.
  public let detections: [Detection]

  /// Creates a result of these detections.
  public init(detections: [Detection], timestampInMilliseconds: Int) {
    self.detections = detections
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: [FaceDetection], time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: [FaceDetection], at time: Duration) {
    self.init(
      detections: value.map { Detection($0) }, timestampInMilliseconds: time.inMilliseconds)
  }
}

/// Receives the results of a face detector in live-stream mode.
///
/// The method is called on a serial queue of the task's own, in the order of the frames. There is no call for frames
/// that were dropped because the task was busy. The time is that which the frame was sent with. If the frame failed,
/// the result is `nil`, the time is the least integer, and the error is an `NSError` of the tasks' domain. The method
/// is optional.
#if canImport(ObjectiveC)
  @objc(MPPFaceDetectorLiveStreamDelegate)
#endif
public protocol FaceDetectorLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Called with the result or the error of one frame.
    @objc(faceDetector:didFinishDetectionWithResult:timestampInMilliseconds:error:)
    optional func faceDetector(
      _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?, timestampInMilliseconds: Int,
      error: (any Error)?)
  #else
    /// Called with the result or the error of one frame.
    func faceDetector(
      _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?, timestampInMilliseconds: Int,
      error: (any Error)?)
  #endif
}

#if !canImport(ObjectiveC)
  extension FaceDetectorLiveStreamDelegate {
    /// Ignores the result.
    public func faceDetector(
      _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?, timestampInMilliseconds: Int,
      error: (any Error)?
    ) {}
  }
#endif
