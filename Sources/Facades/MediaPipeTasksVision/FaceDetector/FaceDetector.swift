public import Foundation
import SwiftletVision

/// Detects faces in images.
///
/// - Thread safety: callable concurrently; calls on one detector run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPFaceDetector) @objcMembers
#endif
open class FaceDetector: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: all properties except the delegate, which is set once,
  // are `Sendable` constants.

  private let modes: TaskInModes<SwiftletVision.FaceDetector>
  /// The delegate, which need not be `Sendable`. `nonisolated(unsafe)` is correct: the property is written once, before
  /// the task is shared; a weak reference can be read on any thread; and the delegate is only called on the task's own
  /// queue, as in MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any FaceDetectorLiveStreamDelegate)?

  /// Creates a detector with default options, for single images.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not a face detection model.
  public convenience init(modelPath: String) throws {
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a detector with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if options contradict each other, or the model is missing or is not a
  ///   face detection model.
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

  /// The number of live-stream frames that were dropped because the task was busy. This is an addition to MediaPipe's
  /// API.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Detects the faces in an image of any size; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(detectImage:error:)
  #endif
  open func detect(image: MPImage) throws -> FaceDetectorResult {
    try reportingTasksErrors { FaceDetectorResult(try modes.image(image)) }
  }

  /// Detects the faces in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func detect(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> FaceDetectorResult {
    try reportingTasksErrors {
      FaceDetectorResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Detects the faces in a frame of a live stream. Returns immediately; the delegate receives the result. If the task
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

/// The options of a face detector.
#if canImport(ObjectiveC)
  @objc(MPPFaceDetectorOptions) @objcMembers
#endif
open class FaceDetectorOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// The delegate that receives the results of a live stream. Must be set in live-stream mode, and only in that mode.
  open weak var faceDetectorLiveStreamDelegate: (any FaceDetectorLiveStreamDelegate)?
  /// The minimum score of a face, 0…1. Faces with a lower score are not returned.
  open var minDetectionConfidence: Float = 0.5
  /// The intersection over union above which two detections count as the same face, 0…1.
  open var minSuppressionThreshold: Float = 0.3

  /// Returns independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = FaceDetectorOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.faceDetectorLiveStreamDelegate = faceDetectorLiveStreamDelegate
    copy.minDetectionConfidence = minDetectionConfidence
    copy.minSuppressionThreshold = minSuppressionThreshold
    return copy
  }

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.FaceDetectorOptions {
    .init(
      baseOptions: try baseOptions.values(),
      minDetectionConfidence: minDetectionConfidence, minSuppressionThreshold: minSuppressionThreshold)
  }
}

// Unchecked because its base class is: it has constants only.

/// The result of a face detector.
#if canImport(ObjectiveC)
  @objc(MPPFaceDetectorResult) @objcMembers
#endif
open class FaceDetectorResult: TaskResult, @unchecked Sendable {
  /// The detections, best first; empty if there are no faces. Each has one category with index 0 and no name, and six
  /// keypoints: left eye, right eye, nose tip, mouth, left and right tragion, from the viewer's perspective.
  public let detections: [Detection]

  /// Creates a result with the given detections.
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

/// A delegate that receives the results of a face detector in live-stream mode.
///
/// The method is called on a serial queue of the task, in the order of the frames. It is not called for frames that
/// were dropped because the task was busy. The timestamp is that of the frame. If the frame failed, the result is
/// `nil`, the timestamp is `Int.min`, and the error is an `NSError` in the tasks' domain. The method is optional.
#if canImport(ObjectiveC)
  @objc(MPPFaceDetectorLiveStreamDelegate)
#endif
public protocol FaceDetectorLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Receives the result or the error of one frame.
    @objc(faceDetector:didFinishDetectionWithResult:timestampInMilliseconds:error:)
    optional func faceDetector(
      _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?, timestampInMilliseconds: Int,
      error: (any Error)?)
  #else
    /// Receives the result or the error of one frame.
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
