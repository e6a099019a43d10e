public import Foundation
import SwiftletVision

/// A segmenter that assigns a category to every pixel of an image.
///
/// Masks have the size of the stored image. Of an image that has to be turned to stand upright they show the upright
/// content, stretched to that size and not turned back, as with MediaPipe. They stay valid as long as they are held,
/// wherever they come from.
///
/// - Thread safety: callable concurrently; calls on one segmenter run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPImageSegmenter) @objcMembers
#endif
open class ImageSegmenter: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: all but the delegate, which is set once, are Sendable constants.

  private let modes: TaskInModes<SwiftletVision.ImageSegmenter>
  /// Unchecked because delegates need not be `Sendable`: it is written once, before anyone else has the task, reading a
  /// weak reference is safe on every thread, and it is only called on the task's own queue, as with MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any ImageSegmenterLiveStreamDelegate)?

  /// Creates an image segmenter with default options, for single images.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not an image segmentation model.
  public convenience init(modelPath: String) throws {
    let options = ImageSegmenterOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates an image segmenter with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is not
  ///   an image segmentation model.
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

  /// The names of the classes, in the order of the confidence masks and in the language of
  /// `displayNamesLocale` if the model has them; empty if it has no label file.
  public var labels: [String] { ClassNames.labels(modes.task.labels, displayNames: modes.task.displayNames) }

  /// The number of frames of the live stream that were ignored because the task was busy: an addition to MediaPipe's
  /// interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Segments an image of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(segmentImage:error:)
  #endif
  open func segment(image: MPImage) throws -> ImageSegmenterResult {
    try reportingTasksErrors { ImageSegmenterResult(try modes.image(image)) }
  }

  /// Segments an image of any size and calls `completion` on the caller's thread with the result or the error, before
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
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(segmentVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func segment(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> ImageSegmenterResult {
    try reportingTasksErrors {
      ImageSegmenterResult(try modes.frame(videoFrame, at: timestampInMilliseconds))
    }
  }

  /// Segments a frame of a video and calls `completion` on the caller's thread with the result or the error, before it
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

  /// Segments a frame of a live stream. Returns at once; the delegate receives the result. While the task is busy, the
  /// frame is dropped instead.
  ///
  /// - Parameters:
  ///   - image: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in live-stream mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(segmentAsyncImage:timestampInMilliseconds:error:)
  #endif
  open func segmentAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try reportingTasksErrors {
      try modes.send(image, at: timestampInMilliseconds)
    }
  }
}

/// The options of image segmentation.
#if canImport(ObjectiveC)
  @objc(MPPImageSegmenterOptions) @objcMembers
#endif
open class ImageSegmenterOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var imageSegmenterLiveStreamDelegate: (any ImageSegmenterLiveStreamDelegate)?
  /// The language of display names, for models that have them: `en`, `de`, …
  open var displayNamesLocale = "en"
  /// Whether there is a mask per class that says how sure the model is of it.
  open var shouldOutputConfidenceMasks = true
  /// Whether there is a mask that says which class each pixel belongs to.
  open var shouldOutputCategoryMask = false

  /// Independent options with the same values and the same delegate.
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

  /// - Throws: `TasksFailure` when options contradict each other, or there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.ImageSegmenterOptions {
    guard shouldOutputConfidenceMasks || shouldOutputCategoryMask else { throw .noMasks }
    return .init(
      baseOptions: try baseOptions.values(), displayNamesLocale: displayNamesLocale,
      outputs: SegmentationOutputs(confidenceMasks: shouldOutputConfidenceMasks, categoryMask: shouldOutputCategoryMask)
    )
  }
}

// Unchecked because its base class is: it has constants only.

/// The masks of one image.
#if canImport(ObjectiveC)
  @objc(MPPImageSegmenterResult) @objcMembers
#endif
open class ImageSegmenterResult: TaskResult, @unchecked Sendable {
  /// One per class, in the order of the labels, of floats; `nil` unless asked for. Of a model with one output channel,
  /// one.
  public let confidenceMasks: [Mask]?
  /// The class of every pixel, as bytes; `nil` unless asked for. Of a model with one output channel, 0 for the
  /// foreground and 255 for the rest.
  public let categoryMask: Mask?
  /// The quality score of each confidence mask; all 1 for models that do not say.
  public let qualityScores: [NSNumber]?

  /// Creates a result of these masks.
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

/// Receives the results of an image segmenter in live-stream mode.
///
/// The method is called on a serial queue of the task's own, in the order of the frames. There is no call for frames
/// that were dropped because the task was busy. The time is that which the frame was sent with. If the frame failed,
/// the result is `nil`, the time is the least integer, and the error is an `NSError` of the tasks' domain. The method
/// is optional.
#if canImport(ObjectiveC)
  @objc(MPPImageSegmenterLiveStreamDelegate)
#endif
public protocol ImageSegmenterLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Called with the result or the error of one frame.
    @objc(imageSegmenter:didFinishSegmentationWithResult:timestampInMilliseconds:error:)
    optional func imageSegmenter(
      _ imageSegmenter: ImageSegmenter, didFinishSegmentation result: ImageSegmenterResult?,
      timestampInMilliseconds: Int,
      error: (any Error)?)
  #else
    /// Called with the result or the error of one frame.
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
