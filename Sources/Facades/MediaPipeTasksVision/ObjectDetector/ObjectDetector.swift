public import Foundation
import SwiftletVision

/// Detects objects in images.
///
/// - Thread safety: callable concurrently; calls on one detector run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPObjectDetector) @objcMembers
#endif
open class ObjectDetector: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: all properties except the delegate, which is set once,
  // are `Sendable` constants.

  private let modes: TaskInModes<SwiftletVision.ObjectDetector>
  /// The delegate, which need not be `Sendable`. `nonisolated(unsafe)` is correct: the property is written once, before
  /// the task is shared; a weak reference can be read on any thread; and the delegate is only called on the task's own
  /// queue, as in MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any ObjectDetectorLiveStreamDelegate)?

  /// Creates a detector with default options, for single images.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not an object detection model.
  public convenience init(modelPath: String) throws {
    let options = ObjectDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a detector with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if options contradict each other, or the model is missing or is not an
  ///   object detection model.
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

  /// The number of live-stream frames that were dropped because the task was busy. This is an addition to MediaPipe's
  /// API.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Detects the objects in an image of any size; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(detectImage:error:)
  #endif
  open func detect(image: MPImage) throws -> ObjectDetectorResult {
    try reportingTasksErrors { ObjectDetectorResult(try modes.image(image)) }
  }

  /// Detects the objects in a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(detectVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func detect(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> ObjectDetectorResult {
    try reportingTasksErrors {
      ObjectDetectorResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Detects the objects in a frame of a live stream. Returns immediately; the delegate receives the result. If the
  /// task is busy, the frame is dropped.
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

/// The options of an object detector.
#if canImport(ObjectiveC)
  @objc(MPPObjectDetectorOptions) @objcMembers
#endif
open class ObjectDetectorOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// The delegate that receives the results of a live stream. Must be set in live-stream mode, and only in that mode.
  open weak var objectDetectorLiveStreamDelegate: (any ObjectDetectorLiveStreamDelegate)?
  /// The locale of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = "en"
  /// The maximum number of objects; negative for all. 0 is an error.
  open var maxResults = -1
  /// The minimum score. Objects with a lower score are not reported.
  open var scoreThreshold: Float = 0
  /// If not empty, the names of the only categories to report.
  open var categoryAllowlist: [String] = []
  /// The names of categories that are not reported. Mutually exclusive with the allowlist.
  open var categoryDenylist: [String] = []

  /// Returns independent options with the same values and the same delegate.
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

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if options contradict each other, or there is no model.
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

/// The result of an object detector.
#if canImport(ObjectiveC)
  @objc(MPPObjectDetectorResult) @objcMembers
#endif
open class ObjectDetectorResult: TaskResult, @unchecked Sendable {
  /// The detections, in the model's order (best first). The index of a category is that of its class, even if the model
  /// has labels, in which case MediaPipe reports -1.
  public let detections: [Detection]

  /// Creates a result with the given detections.
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

/// A delegate that receives the results of an object detector in live-stream mode.
///
/// The method is called on a serial queue of the task, in the order of the frames. It is not called for frames that
/// were dropped because the task was busy. The timestamp is that of the frame. If the frame failed, the result is
/// `nil`, the timestamp is `Int.min`, and the error is an `NSError` in the tasks' domain. The method is optional.
#if canImport(ObjectiveC)
  @objc(MPPObjectDetectorLiveStreamDelegate)
#endif
public protocol ObjectDetectorLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Receives the result or the error of one frame.
    @objc(objectDetector:didFinishDetectionWithResult:timestampInMilliseconds:error:)
    optional func objectDetector(
      _ objectDetector: ObjectDetector, didFinishDetection result: ObjectDetectorResult?, timestampInMilliseconds: Int,
      error: (any Error)?)
  #else
    /// Receives the result or the error of one frame.
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
