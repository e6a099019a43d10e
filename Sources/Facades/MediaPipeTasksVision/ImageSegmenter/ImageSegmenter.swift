public import Foundation
import SwiftletVision

/// Says what every pixel of a picture belongs to.
///
/// Masks have the size of the stored picture. Of a picture that has to be turned to stand upright they show the upright
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

  /// An image segmenter with default options, for single pictures.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not an image segmentation model.
  public convenience init(modelPath: String) throws {
    let options = ImageSegmenterOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// An image segmenter with these options; changing them later changes nothing.
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

  /// How many frames of the live stream were ignored because the task was busy: an addition to MediaPipe's interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Segments a picture of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(segmentImage:error:)
  #endif
  open func segment(image: MPImage) throws -> ImageSegmenterResult {
    try reportingTasksErrors { ImageSegmenterResult(try modes.image(image)) }
  }

  /// Segments a picture of any size and calls `completion` on the caller's thread with the result or the error, before
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
