public import Foundation
public import class MediaPipeTasksCommon.Embedding
import SwiftletVision

/// Turns pictures into vectors by which they can be compared.
///
/// - Thread safety: callable concurrently; calls on one embedder run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPImageEmbedder) @objcMembers
#endif
open class ImageEmbedder: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: all but the delegate, which is set once, are Sendable constants.

  private let modes: TaskInModes<SwiftletVision.ImageEmbedder>
  /// Unchecked because delegates need not be `Sendable`: it is written once, before anyone else has the task, reading a
  /// weak reference is safe on every thread, and it is only called on the task's own queue, as with MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any ImageEmbedderLiveStreamDelegate)?

  /// An image embedder with default options, for single pictures.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not an image embedding model.
  public convenience init(modelPath: String) throws {
    let options = ImageEmbedderOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// An image embedder with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is not
  ///   an image embedding model.
  public init(options: ImageEmbedderOptions) throws {
    modes = try reportingTasksErrors {
      try options.runningMode.requireDelegate(options.imageEmbedderLiveStreamDelegate)
      return TaskInModes(
        try SwiftletVision.ImageEmbedder(options: try options.values()), options.runningMode
      ) { try $0.embedding(of: $1, region: $2) }
    }
    liveStreamDelegate = options.imageEmbedderLiveStreamDelegate
    super.init()
    modes.deliver(to: self, on: options.baseOptions.delegateQueue) { embedder, result, timestamp, error in
      let deliver = embedder.liveStreamDelegate?.imageEmbedder
      deliver?(embedder, result.map { ImageEmbedderResult($0.output, at: $0.time) }, timestamp, error)
    }
  }

  /// How many frames of the live stream were ignored because the task was busy: an addition to MediaPipe's interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Embeds a picture of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(embedImage:error:)
  #endif
  open func embed(image: MPImage) throws -> ImageEmbedderResult {
    try embed(image: image, regionOfInterest: .zero)
  }

  /// Embeds a part of a picture; blocks until done.
  ///
  /// - Parameters:
  ///   - image: the picture.
  ///   - regionOfInterest: the part, as fractions of the stored picture, origin at its top left; `CGRect.zero` for all
  ///     of it.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a region without an area, and unless
  ///   the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(embedImage:regionOfInterest:error:)
  #endif
  open func embed(image: MPImage, regionOfInterest: CGRect) throws -> ImageEmbedderResult {
    try reportingTasksErrors {
      let region = regionOfInterest.regionOfInterest
      return ImageEmbedderResult(try modes.image(image, region: region))
    }
  }

  /// Embeds a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(embedVideoFrame:timestampInMilliseconds:error:)
  #endif
  open func embed(videoFrame: MPImage, timestampInMilliseconds: Int) throws -> ImageEmbedderResult {
    try embed(
      videoFrame: videoFrame, timestampInMilliseconds: timestampInMilliseconds, regionOfInterest: .zero)
  }

  /// Embeds a part of a frame of a video; blocks until done.
  ///
  /// - Parameters:
  ///   - videoFrame: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  ///   - regionOfInterest: the part, as fractions of the stored picture, origin at its top left; `CGRect.zero` for all
  ///     of it.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a region without an area, for a time
  ///   that is not later, and unless the task runs in video mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(embedVideoFrame:timestampInMilliseconds:regionOfInterest:error:)
  #endif
  open func embed(
    videoFrame: MPImage, timestampInMilliseconds: Int, regionOfInterest: CGRect
  ) throws -> ImageEmbedderResult {
    try reportingTasksErrors {
      let region = regionOfInterest.regionOfInterest
      return ImageEmbedderResult(try modes.frame(videoFrame, region: region, at: timestampInMilliseconds))
    }
  }

  /// Embeds a frame of a live stream. Returns at once; the delegate receives the result. While the task is busy, the
  /// frame is dropped instead.
  ///
  /// - Parameters:
  ///   - image: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in live-stream mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(embedAsyncImage:timestampInMilliseconds:error:)
  #endif
  open func embedAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try embedAsync(image: image, timestampInMilliseconds: timestampInMilliseconds, regionOfInterest: .zero)
  }

  /// Embeds a part of a frame of a live stream. Returns at once; the delegate receives the result. While the task is
  /// busy, the frame is dropped instead.
  ///
  /// - Parameters:
  ///   - image: the frame.
  ///   - timestampInMilliseconds: the time of the frame, later than that of the last one.
  ///   - regionOfInterest: the part, as fractions of the stored picture, origin at its top left; `CGRect.zero` for all
  ///     of it.
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, for a time that is not later, and unless
  ///   the task runs in live-stream mode. The next frame may succeed. For a region without an area the delegate
  ///   receives an error.
  #if canImport(ObjectiveC)
    @objc(embedAsyncImage:timestampInMilliseconds:regionOfInterest:error:)
  #endif
  open func embedAsync(image: MPImage, timestampInMilliseconds: Int, regionOfInterest: CGRect) throws {
    try reportingTasksErrors {
      let region = regionOfInterest.regionOfInterest
      try modes.send(image, region: region, at: timestampInMilliseconds)
    }
  }

  /// How alike two embeddings are: the cosine of the angle between them, −1…1, computed in double precision.
  ///
  /// - Returns: not a number when one of the vectors is all zeros or empty.
  /// - Throws: `TasksErrorCode.invalidArgumentError` when one is quantised and the other is not, or when they differ in
  ///   length.
  #if canImport(ObjectiveC)
    @objc(cosineSimilarityBetweenEmbedding1:andEmbedding2:error:)
  #endif
  public static func cosineSimilarity(embedding1: Embedding, embedding2: Embedding) throws -> NSNumber {
    try reportingTasksErrors { try embedding1.cosineSimilarity(to: embedding2) }
  }
}
