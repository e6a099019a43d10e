public import Foundation
public import class MediaPipeTasksCommon.ClassificationResult
import SwiftletVision

/// Classifies images.
///
/// - Thread safety: callable concurrently; calls on one classifier run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPImageClassifier) @objcMembers
#endif
open class ImageClassifier: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: all properties except the delegate, which is set once,
  // are `Sendable` constants.

  private let modes: TaskInModes<SwiftletVision.ImageClassifier>
  /// The delegate, which need not be `Sendable`. `nonisolated(unsafe)` is correct: the property is written once, before
  /// the task is shared; a weak reference can be read on any thread; and the delegate is only called on the task's own
  /// queue, as in MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any ImageClassifierLiveStreamDelegate)?

  /// Creates an image classifier with default options, for single images.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not an image classification model.
  public convenience init(modelPath: String) throws {
    let options = ImageClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates an image classifier with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if options contradict each other, or the model is missing or is not an
  ///   image classification model.
  public init(options: ImageClassifierOptions) throws {
    modes = try reportingTasksErrors {
      try options.runningMode.requireDelegate(options.imageClassifierLiveStreamDelegate)
      return TaskInModes(
        try SwiftletVision.ImageClassifier(options: try options.values()), options.runningMode
      ) { try $0.classification(of: $1, region: $2) }
    }
    liveStreamDelegate = options.imageClassifierLiveStreamDelegate
    super.init()
    modes.deliver(to: self, on: options.baseOptions.delegateQueue) { classifier, result, timestamp, error in
      let deliver = classifier.liveStreamDelegate?.imageClassifier
      deliver?(classifier, result.map { ImageClassifierResult($0.output, at: $0.time) }, timestamp, error)
    }
  }

  /// The number of live-stream frames that were dropped because the task was busy. This is an addition to MediaPipe's
  /// API.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Classifies an image of any size; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(classifyImage:error:)
  #endif
  open func classify(image: MPImage) throws -> ImageClassifierResult {
    try classify(image: image, regionOfInterest: .zero)
  }

  /// Classifies a part of an image; blocks until done.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - regionOfInterest: The part, as fractions of the stored image with the origin at the top left; `CGRect.zero`
  ///     for the whole image.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a region without an area, and unless
  ///   the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(classifyImage:regionOfInterest:error:)
  #endif
  open func classify(image: MPImage, regionOfInterest: CGRect) throws -> ImageClassifierResult {
    try reportingTasksErrors {
      let region = regionOfInterest.regionOfInterest
      return ImageClassifierResult(try modes.image(image, region: region))
    }
  }

  /// Classifies a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(classifyVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func classify(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> ImageClassifierResult {
    try classify(
      videoFrame: videoFrame, timestampInMilliseconds: timestampInMilliseconds, regionOfInterest: .zero)
  }

  /// Classifies a part of a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  ///   - regionOfInterest: The part, as fractions of the stored image with the origin at the top left; `CGRect.zero`
  ///     for the whole image.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a region without an area, for a
  ///   timestamp that is not later, and unless the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(classifyVideoFrame:timestampInMilliseconds:regionOfInterest:error:)
  #endif
  open func classify(
    videoFrame: MPImage, timestampInMilliseconds: Int, regionOfInterest: CGRect
  ) throws -> ImageClassifierResult {
    try reportingTasksErrors {
      let region = regionOfInterest.regionOfInterest
      return ImageClassifierResult(try modes.frame(videoFrame, region: region, at: timestampInMilliseconds))
    }
  }

  /// Classifies a frame of a live stream. Returns immediately; the delegate receives the result. If the task is busy,
  /// the frame is dropped.
  ///
  /// - Parameters:
  ///   - image: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in live-stream mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(classifyAsyncImage:timestampInMilliseconds:error:)
  #endif
  open func classifyAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try classifyAsync(image: image, timestampInMilliseconds: timestampInMilliseconds, regionOfInterest: .zero)
  }

  /// Classifies a part of a frame of a live stream. Returns immediately; the delegate receives the result. If the task
  /// is busy, the frame is dropped.
  ///
  /// - Parameters:
  ///   - image: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  ///   - regionOfInterest: The part, as fractions of the stored image with the origin at the top left; `CGRect.zero`
  ///     for the whole image.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in live-stream mode. The next frame may succeed. If the region has no area, the delegate
  ///   receives an error.
  #if canImport(ObjectiveC)
    @objc(classifyAsyncImage:timestampInMilliseconds:regionOfInterest:error:)
  #endif
  open func classifyAsync(image: MPImage, timestampInMilliseconds: Int, regionOfInterest: CGRect) throws {
    try reportingTasksErrors {
      let region = regionOfInterest.regionOfInterest
      try modes.send(image, region: region, at: timestampInMilliseconds)
    }
  }
}

/// The options of an image classifier.
#if canImport(ObjectiveC)
  @objc(MPPImageClassifierOptions) @objcMembers
#endif
open class ImageClassifierOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// The delegate that receives the results of a live stream. Must be set in live-stream mode, and only in that mode.
  open weak var imageClassifierLiveStreamDelegate: (any ImageClassifierLiveStreamDelegate)?
  /// The locale of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = "en"
  /// The maximum number of classes per output of the model; negative for all. 0 is an error.
  open var maxResults = -1
  /// The minimum score. Classes with a lower score are not reported.
  open var scoreThreshold: Float = 0
  /// If not empty, the names of the only categories to report.
  open var categoryAllowlist: [String] = []
  /// The names of categories that are not reported. Mutually exclusive with the allowlist.
  open var categoryDenylist: [String] = []

  /// Returns independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = ImageClassifierOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.imageClassifierLiveStreamDelegate = imageClassifierLiveStreamDelegate
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
  func values() throws(TasksFailure) -> SwiftletVision.ImageClassifierOptions {
    try CategoryOptionCheck.check(
      maxResults: maxResults, allow: categoryAllowlist, deny: categoryDenylist, end: ".")
    return .init(
      baseOptions: try baseOptions.values(),
      displayNamesLocale: displayNamesLocale.isEmpty ? "en" : displayNamesLocale,
      maxResults: maxResults < 0 ? nil : maxResults,
      scoreThreshold: scoreThreshold, categoryAllowlist: categoryAllowlist, categoryDenylist: categoryDenylist)
  }
}

// Unchecked because its base class is: it has constants only.

/// The result of an image classifier.
#if canImport(ObjectiveC)
  @objc(MPPImageClassifierResult) @objcMembers
#endif
open class ImageClassifierResult: TaskResult, @unchecked Sendable {
  /// The classes of the image, for each output of the model.
  public let classificationResult: ClassificationResult

  /// Creates a result with the given classes.
  public init(classificationResult: ClassificationResult, timestampInMilliseconds: Int) {
    self.classificationResult = classificationResult
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: Classification, time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: Classification, at time: Duration) {
    self.init(
      classificationResult: ClassificationResult(value, at: time),
      timestampInMilliseconds: time.inMilliseconds)
  }
}

/// A delegate that receives the results of an image classifier in live-stream mode.
///
/// The method is called on a serial queue of the task, in the order of the frames. It is not called for frames that
/// were dropped because the task was busy. The timestamp is that of the frame. If the frame failed, the result is
/// `nil`, the timestamp is `Int.min`, and the error is an `NSError` in the tasks' domain. The method is optional.
#if canImport(ObjectiveC)
  @objc(MPPImageClassifierLiveStreamDelegate)
#endif
public protocol ImageClassifierLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Receives the result or the error of one frame.
    @objc(imageClassifier:didFinishClassificationWithResult:timestampInMilliseconds:error:)
    optional func imageClassifier(
      _ imageClassifier: ImageClassifier, didFinishClassification result: ImageClassifierResult?,
      timestampInMilliseconds: Int, error: (any Error)?)
  #else
    /// Receives the result or the error of one frame.
    func imageClassifier(
      _ imageClassifier: ImageClassifier, didFinishClassification result: ImageClassifierResult?,
      timestampInMilliseconds: Int, error: (any Error)?)
  #endif
}

#if !canImport(ObjectiveC)
  extension ImageClassifierLiveStreamDelegate {
    /// Ignores the result.
    public func imageClassifier(
      _ imageClassifier: ImageClassifier, didFinishClassification result: ImageClassifierResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) {}
  }
#endif
