public import Foundation
public import class MediaPipeTasksCommon.ClassificationResult
import SwiftletVision

/// A classifier of images, with scores.
///
/// - Thread safety: callable concurrently; calls on one classifier run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPImageClassifier) @objcMembers
#endif
open class ImageClassifier: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: all but the delegate, which is set once, are Sendable constants.

  private let modes: TaskInModes<SwiftletVision.ImageClassifier>
  /// Unchecked because delegates need not be `Sendable`: it is written once, before anyone else has the task, reading a
  /// weak reference is safe on every thread, and it is only called on the task's own queue, as with MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any ImageClassifierLiveStreamDelegate)?

  /// Creates an image classifier with default options, for single images.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not an image classification model.
  public convenience init(modelPath: String) throws {
    let options = ImageClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates an image classifier with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is not
  ///   an image classification model.
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

  /// The number of frames of the live stream that were ignored because the task was busy: an addition to MediaPipe's
  /// interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Classifies an image of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(classifyImage:error:)
  #endif
  open func classify(image: MPImage) throws -> ImageClassifierResult {
    try classify(image: image, regionOfInterest: .zero)
  }

  /// Classifies a part of an image; blocks until done.
  ///
  /// - Parameters:
  ///   - image: the image.
  ///   - regionOfInterest: the part, as fractions of the stored image, origin at its top left; `CGRect.zero` for all
  ///     of it.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a region without an area, and unless
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
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in video mode. The next frame may succeed.
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
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  ///   - regionOfInterest: the part, as fractions of the stored image, origin at its top left; `CGRect.zero` for all
  ///     of it.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a region without an area, for a time
  ///   that is not later, and unless the task runs in video mode. The next frame may succeed.
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

  /// Classifies a frame of a live stream. Returns at once; the delegate receives the result. While the task is busy,
  /// the frame is dropped instead.
  ///
  /// - Parameters:
  ///   - image: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in live-stream mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(classifyAsyncImage:timestampInMilliseconds:error:)
  #endif
  open func classifyAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try classifyAsync(image: image, timestampInMilliseconds: timestampInMilliseconds, regionOfInterest: .zero)
  }

  /// Classifies a part of a frame of a live stream. Returns at once; the delegate receives the result. While the task
  /// is busy, the frame is dropped instead.
  ///
  /// - Parameters:
  ///   - image: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  ///   - regionOfInterest: the part, as fractions of the stored image, origin at its top left; `CGRect.zero` for all
  ///     of it.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in live-stream mode. The next frame may succeed. For a region without an area the delegate
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

/// The options of image classification.
#if canImport(ObjectiveC)
  @objc(MPPImageClassifierOptions) @objcMembers
#endif
open class ImageClassifierOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var imageClassifierLiveStreamDelegate: (any ImageClassifierLiveStreamDelegate)?
  /// The language of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = "en"
  /// The most classes reported per output of the model; negative for all, 0 is an error.
  open var maxResults = -1
  /// Classes with a lower score are left out.
  open var scoreThreshold: Float = 0
  /// When not empty, only these category names are reported.
  open var categoryAllowlist: [String] = []
  /// These category names are not reported. Not together with an allow list.
  open var categoryDenylist: [String] = []

  /// Independent options with the same values and the same delegate.
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

  /// - Throws: `TasksFailure` when options contradict each other, or there is no model.
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

  /// Creates a result of these classes.
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

/// Receives the results of an image classifier in live-stream mode.
///
/// The method is called on a serial queue of the task's own, in the order of the frames. There is no call for frames
/// that were dropped because the task was busy. The time is that which the frame was sent with. If the frame failed,
/// the result is `nil`, the time is the least integer, and the error is an `NSError` of the tasks' domain. The method
/// is optional.
#if canImport(ObjectiveC)
  @objc(MPPImageClassifierLiveStreamDelegate)
#endif
public protocol ImageClassifierLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Called with the result or the error of one frame.
    @objc(imageClassifier:didFinishClassificationWithResult:timestampInMilliseconds:error:)
    optional func imageClassifier(
      _ imageClassifier: ImageClassifier, didFinishClassification result: ImageClassifierResult?,
      timestampInMilliseconds: Int, error: (any Error)?)
  #else
    /// Called with the result or the error of one frame.
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
