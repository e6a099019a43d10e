public import Foundation
import SwiftletVision

/// Segments images: assigns a category to every pixel.
///
/// Masks have the size of the stored image. If the image is rotated, the masks show the upright content, stretched to
/// that size and not rotated back, as in MediaPipe. All masks stay valid as long as they are retained.
///
/// - Thread safety: callable concurrently; calls on one segmenter run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPImageSegmenter) @objcMembers
#endif
open class ImageSegmenter: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: all properties except the delegate, which is set once,
  // are `Sendable` constants.

  private let modes: TaskInModes<SwiftletVision.ImageSegmenter>
  /// The delegate, which need not be `Sendable`. `nonisolated(unsafe)` is correct: the property is written once, before
  /// the task is shared; a weak reference can be read on any thread; and the delegate is only called on the task's own
  /// queue, as in MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any ImageSegmenterLiveStreamDelegate)?

  /// Creates an image segmenter with default options, for single images.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not an image segmentation model.
  public convenience init(modelPath: String) throws {
    let options = ImageSegmenterOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates an image segmenter with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if options contradict each other, or the model is missing or is not an
  ///   image segmentation model.
  public init(options: ImageSegmenterOptions) throws {
    modes = try reportingTasksErrors {
      try options.runningMode.requireDelegate(options.imageSegmenterLiveStreamDelegate)
      return TaskInModes(
        try SwiftletVision.ImageSegmenter(options: try options.values()), options.runningMode
      ) { task, image, _ in try task.segmentation(of: image) }
    }
    liveStreamDelegate = options.imageSegmenterLiveStreamDelegate
    super.init()
    modes.deliver(to: self, on: options.baseOptions.delegateQueue) { segmenter, result, timestamp, error in
      let deliver = segmenter.liveStreamDelegate?.imageSegmenter
      deliver?(segmenter, result.map { ImageSegmenterResult($0.output, at: $0.time) }, timestamp, error)
    }
  }

  /// The class names, in the order of the confidence masks and in the language of `displayNamesLocale` if the model has
  /// them; empty if it has no labels.
  public var labels: [String] { ClassNames.labels(modes.task.labels, displayNames: modes.task.displayNames) }

  /// The number of live-stream frames that were dropped because the task was busy. This is an addition to MediaPipe's
  /// API.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Segments an image of any size; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(segmentImage:error:)
  #endif
  open func segment(image: MPImage) throws -> ImageSegmenterResult {
    try reportingTasksErrors { ImageSegmenterResult(try modes.image(image)) }
  }

  /// Segments an image of any size and calls `completion` with the result or the error, on the caller's thread before
  /// it returns.
  #if canImport(ObjectiveC)
    @objc(segmentImage:withCompletionHandler:)
  #endif
  open func segment(image: MPImage, completion: @escaping (ImageSegmenterResult?, (any Error)?) -> Void) {
    tell(completion) { try segment(image: image) }
  }

  /// Segments a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(segmentVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func segment(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> ImageSegmenterResult {
    try reportingTasksErrors {
      ImageSegmenterResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Segments a frame of a video and calls `completion` with the result or the error, on the caller's thread before it
  /// returns.
  #if canImport(ObjectiveC)
    @objc(segmentVideoFrame:timestampInMilliseconds:withCompletionHandler:)
  #endif
  open func segment(
    videoFrame: MPImage, timestampInMilliseconds: Int,
    completion: @escaping (ImageSegmenterResult?, (any Error)?) -> Void
  ) {
    tell(completion) { try segment(videoFrame: videoFrame, timestampInMilliseconds: timestampInMilliseconds) }
  }

  /// Segments a frame of a live stream. Returns immediately; the delegate receives the result. If the task is busy, the
  /// frame is dropped.
  ///
  /// - Parameters:
  ///   - image: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in live-stream mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(segmentAsyncImage:timestampInMilliseconds:error:)
  #endif
  open func segmentAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try reportingTasksErrors {
      try modes.send(image, at: timestampInMilliseconds)
    }
  }
}

/// The options of an image segmenter.
#if canImport(ObjectiveC)
  @objc(MPPImageSegmenterOptions) @objcMembers
#endif
open class ImageSegmenterOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// The delegate that receives the results of a live stream. Must be set in live-stream mode, and only in that mode.
  open weak var imageSegmenterLiveStreamDelegate: (any ImageSegmenterLiveStreamDelegate)?
  /// The locale of display names, for models that have them: `en`, `de`, …
  open var displayNamesLocale = "en"
  /// A Boolean value that indicates whether to return a confidence mask per class.
  open var shouldOutputConfidenceMasks = true
  /// A Boolean value that indicates whether to return a category mask.
  open var shouldOutputCategoryMask = false

  /// Returns independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = ImageSegmenterOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.imageSegmenterLiveStreamDelegate = imageSegmenterLiveStreamDelegate
    copy.displayNamesLocale = displayNamesLocale
    copy.shouldOutputConfidenceMasks = shouldOutputConfidenceMasks
    copy.shouldOutputCategoryMask = shouldOutputCategoryMask
    return copy
  }

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if options contradict each other, or there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.ImageSegmenterOptions {
    guard shouldOutputConfidenceMasks || shouldOutputCategoryMask else { throw .noMasks }
    return .init(
      baseOptions: try baseOptions.values(), displayNamesLocale: displayNamesLocale,
      outputs: SegmentationOutputs(confidenceMasks: shouldOutputConfidenceMasks, categoryMask: shouldOutputCategoryMask)
    )
  }
}

// Unchecked because its base class is: it has constants only.

/// The result of an image segmenter.
#if canImport(ObjectiveC)
  @objc(MPPImageSegmenterResult) @objcMembers
#endif
open class ImageSegmenterResult: TaskResult, @unchecked Sendable {
  /// The float mask of each class, in the order of the labels; `nil` unless requested. A model with one output channel
  /// has one mask.
  public let confidenceMasks: [Mask]?
  /// The byte mask with the class of every pixel; `nil` unless requested. For a model with one output channel, 0 is the
  /// foreground and 255 the background.
  public let categoryMask: Mask?
  /// The quality score of each confidence mask; all 1 for models without this output.
  public let qualityScores: [NSNumber]?

  /// Creates a result with the given masks.
  public init(
    confidenceMasks: [Mask]?, categoryMask: Mask?, qualityScores: [NSNumber]?, timestampInMilliseconds: Int
  ) {
    self.confidenceMasks = confidenceMasks
    self.categoryMask = categoryMask
    self.qualityScores = qualityScores
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: Segmentation, time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: Segmentation, at time: Duration) {
    self.init(
      confidenceMasks: value.confidenceMasks.isEmpty ? nil : value.confidenceMasks.map { Mask($0) },
      categoryMask: value.categoryMask.map { Mask($0) },
      qualityScores: value.qualityScores.map { NSNumber(value: $0) },
      timestampInMilliseconds: time.inMilliseconds)
  }
}

/// A delegate that receives the results of an image segmenter in live-stream mode.
///
/// The method is called on a serial queue of the task, in the order of the frames. It is not called for frames that
/// were dropped because the task was busy. The timestamp is that of the frame. If the frame failed, the result is
/// `nil`, the timestamp is `Int.min`, and the error is an `NSError` in the tasks' domain. The method is optional.
#if canImport(ObjectiveC)
  @objc(MPPImageSegmenterLiveStreamDelegate)
#endif
public protocol ImageSegmenterLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Receives the result or the error of one frame.
    @objc(imageSegmenter:didFinishSegmentationWithResult:timestampInMilliseconds:error:)
    optional func imageSegmenter(
      _ imageSegmenter: ImageSegmenter, didFinishSegmentation result: ImageSegmenterResult?,
      timestampInMilliseconds: Int,
      error: (any Error)?)
  #else
    /// Receives the result or the error of one frame.
    func imageSegmenter(
      _ imageSegmenter: ImageSegmenter, didFinishSegmentation result: ImageSegmenterResult?,
      timestampInMilliseconds: Int,
      error: (any Error)?)
  #endif
}

#if !canImport(ObjectiveC)
  extension ImageSegmenterLiveStreamDelegate {
    /// Ignores the result.
    public func imageSegmenter(
      _ imageSegmenter: ImageSegmenter, didFinishSegmentation result: ImageSegmenterResult?,
      timestampInMilliseconds: Int,
      error: (any Error)?
    ) {}
  }
#endif
