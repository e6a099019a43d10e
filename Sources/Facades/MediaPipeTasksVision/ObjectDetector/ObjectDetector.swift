public import Foundation
import SwiftletVision

/// Finds objects in images.
///
/// - Thread safety: callable concurrently; calls on one detector run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPObjectDetector) @objcMembers
#endif
open class ObjectDetector: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: all but the delegate, which is set once, are Sendable constants.

  private let modes: TaskInModes<SwiftletVision.ObjectDetector>
  /// Unchecked because delegates need not be `Sendable`: it is written once, before anyone else has the task, reading a
  /// weak reference is safe on every thread, and it is only called on the task's own queue, as with MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any ObjectDetectorLiveStreamDelegate)?

  /// Creates a detector with default options, for single images.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not an object detection model.
  public convenience init(modelPath: String) throws {
    let options = ObjectDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a detector with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is not
  ///   an object detection model.
  public init(options: ObjectDetectorOptions) throws {
    modes = try reportingTasksErrors {
      try options.runningMode.requireDelegate(options.objectDetectorLiveStreamDelegate)
      return TaskInModes(
        try SwiftletVision.ObjectDetector(options: try options.values()), options.runningMode
      ) { try $0.objects(in: $1, region: $2) }
    }
    liveStreamDelegate = options.objectDetectorLiveStreamDelegate
    super.init()
    modes.deliver(to: self, on: options.baseOptions.delegateQueue) { detector, result, timestamp, error in
      let deliver = detector.liveStreamDelegate?.objectDetector
      deliver?(detector, result.map { ObjectDetectorResult($0.output, at: $0.time) }, timestamp, error)
    }
  }

  /// The number of frames of the live stream that were ignored because the task was busy: an addition to MediaPipe's
  /// interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Finds the objects in an image of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(detectImage:error:)
  #endif
  open func detect(image: MPImage) throws -> ObjectDetectorResult {
    try reportingTasksErrors { ObjectDetectorResult(try modes.image(image)) }
  }

  /// Finds the objects in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func detect(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> ObjectDetectorResult {
    try reportingTasksErrors {
      ObjectDetectorResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Finds the objects in a frame of a live stream. Returns at once; the delegate receives the result. While the task
  /// is busy, the frame is dropped instead.
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

/// The options of object detection.
#if canImport(ObjectiveC)
  @objc(MPPObjectDetectorOptions) @objcMembers
#endif
open class ObjectDetectorOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var objectDetectorLiveStreamDelegate: (any ObjectDetectorLiveStreamDelegate)?
  /// The language of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = "en"
  /// The most objects reported; negative for all, 0 is an error.
  open var maxResults = -1
  /// Objects with a lower score are left out.
  open var scoreThreshold: Float = 0
  /// When not empty, only these category names are reported.
  open var categoryAllowlist: [String] = []
  /// These category names are not reported. Not together with an allow list.
  open var categoryDenylist: [String] = []

  /// Independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = ObjectDetectorOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.objectDetectorLiveStreamDelegate = objectDetectorLiveStreamDelegate
    copy.displayNamesLocale = displayNamesLocale
    copy.maxResults = maxResults
    copy.scoreThreshold = scoreThreshold
    copy.categoryAllowlist = categoryAllowlist
    copy.categoryDenylist = categoryDenylist
    return copy
  }

  /// - Throws: `TasksFailure` when options contradict each other, or there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.ObjectDetectorOptions {
    try CategoryOptionCheck.check(
      maxResults: maxResults, allow: categoryAllowlist, deny: categoryDenylist, end: "")
    return .init(
      baseOptions: try baseOptions.values(),
      displayNamesLocale: displayNamesLocale.isEmpty ? "en" : displayNamesLocale,
      maxResults: maxResults < 0 ? nil : maxResults,
      scoreThreshold: scoreThreshold, categoryAllowlist: categoryAllowlist, categoryDenylist: categoryDenylist)
  }
}

// Unchecked because its base class is: it has constants only.

/// The objects in an image.
#if canImport(ObjectiveC)
  @objc(MPPObjectDetectorResult) @objcMembers
#endif
open class ObjectDetectorResult: TaskResult, @unchecked Sendable {
  /// One per object, in the model's order (best first). A category's index is that of its class, also where the model
  /// has labels, for which MediaPipe gives -1.
  public let detections: [Detection]

  /// Creates a result of these detections.
  public init(detections: [Detection], timestampInMilliseconds: Int) {
    self.detections = detections
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: [ObjectDetection], time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: [ObjectDetection], at time: Duration) {
    self.init(
      detections: value.map { Detection($0) }, timestampInMilliseconds: time.inMilliseconds)
  }
}

/// Receives the results of an object detector in live-stream mode.
///
/// The method is called on a serial queue of the task's own, in the order of the frames. There is no call for frames
/// that were dropped because the task was busy. The time is that which the frame was sent with. If the frame failed,
/// the result is `nil`, the time is the least integer, and the error is an `NSError` of the tasks' domain. The method
/// is optional.
#if canImport(ObjectiveC)
  @objc(MPPObjectDetectorLiveStreamDelegate)
#endif
public protocol ObjectDetectorLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Called with the result or the error of one frame.
    @objc(objectDetector:didFinishDetectionWithResult:timestampInMilliseconds:error:)
    optional func objectDetector(
      _ objectDetector: ObjectDetector, didFinishDetection result: ObjectDetectorResult?, timestampInMilliseconds: Int,
      error: (any Error)?)
  #else
    /// Called with the result or the error of one frame.
    func objectDetector(
      _ objectDetector: ObjectDetector, didFinishDetection result: ObjectDetectorResult?, timestampInMilliseconds: Int,
      error: (any Error)?)
  #endif
}

#if !canImport(ObjectiveC)
  extension ObjectDetectorLiveStreamDelegate {
    /// Ignores the result.
    public func objectDetector(
      _ objectDetector: ObjectDetector, didFinishDetection result: ObjectDetectorResult?, timestampInMilliseconds: Int,
      error: (any Error)?
    ) {}
  }
#endif
