public import Foundation
public import class MediaPipeTasksCommon.Embedding
public import class MediaPipeTasksCommon.EmbeddingResult
import SwiftletTasks
import SwiftletVision

/// Turns images into vectors by which they can be compared.
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

  /// Creates an image embedder with default options, for single images.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not an image embedding model.
  public convenience init(modelPath: String) throws {
    let options = ImageEmbedderOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates an image embedder with these options; changing them later changes nothing.
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

  /// The number of frames of the live stream that were ignored because the task was busy: an addition to MediaPipe's
  /// interface.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Embeds an image of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(embedImage:error:)
  #endif
  open func embed(image: MPImage) throws -> ImageEmbedderResult {
    try embed(image: image, regionOfInterest: .zero)
  }

  /// Embeds a part of an image; blocks until done.
  ///
  /// - Parameters:
  ///   - image: the image.
  ///   - regionOfInterest: the part, as fractions of the stored image, origin at its top left; `CGRect.zero` for all
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
  ///   - regionOfInterest: the part, as fractions of the stored image, origin at its top left; `CGRect.zero` for all
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
  ///   - regionOfInterest: the part, as fractions of the stored image, origin at its top left; `CGRect.zero` for all
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
  /// - Throws: `TasksErrorCode.invalidArgumentError` when one is quantized and the other is not, or when they differ in
  ///   length.
  #if canImport(ObjectiveC)
    @objc(cosineSimilarityBetweenEmbedding1:andEmbedding2:error:)
  #endif
  public static func cosineSimilarity(embedding1: Embedding, embedding2: Embedding) throws -> NSNumber {
    try reportingTasksErrors { try embedding1.cosineSimilarity(to: embedding2) }
  }
}

/// How images are embedded.
#if canImport(ObjectiveC)
  @objc(MPPImageEmbedderOptions) @objcMembers
#endif
open class ImageEmbedderOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var imageEmbedderLiveStreamDelegate: (any ImageEmbedderLiveStreamDelegate)?
  /// Whether vectors are scaled to length 1. Not needed for models that do so themselves.
  open var l2Normalize = false
  /// Whether vectors are returned as signed bytes, a quarter of the size. Only vectors of length 1 fit well: numbers
  /// from 1 on become 127.
  open var quantize = false

  /// Independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = ImageEmbedderOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.imageEmbedderLiveStreamDelegate = imageEmbedderLiveStreamDelegate
    copy.l2Normalize = l2Normalize
    copy.quantize = quantize
    return copy
  }

  /// - Throws: `TasksFailure` when there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.ImageEmbedderOptions {
    .init(
      baseOptions: try baseOptions.values(), normalizesEmbedding: l2Normalize,
      quantizesEmbedding: quantize)
  }
}

// Unchecked because its base class is: it has constants only.

/// The result of an image embedder.
#if canImport(ObjectiveC)
  @objc(MPPImageEmbedderResult) @objcMembers
#endif
open class ImageEmbedderResult: TaskResult, @unchecked Sendable {
  /// The embeddings of the image, one per output of the model.
  public let embeddingResult: EmbeddingResult

  /// Creates a result of these embeddings; without any for `nil`.
  public init(embeddingResult: EmbeddingResult?, timestampInMilliseconds: Int) {
    self.embeddingResult =
      embeddingResult ?? EmbeddingResult(embeddings: [], timestampInMilliseconds: timestampInMilliseconds)
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: SwiftletTasks.Embedding, time: Duration)) {
    self.init(timed.output, at: timed.time)
  }

  convenience init(_ value: SwiftletTasks.Embedding, at time: Duration) {
    self.init(
      embeddingResult: EmbeddingResult(value, at: time),
      timestampInMilliseconds: time.inMilliseconds)
  }
}

/// Receives the results of an image embedder in live-stream mode.
///
/// The method is called on a serial queue of the task's own, in the order of the frames. There is no call for frames
/// that were dropped because the task was busy. The time is that which the frame was sent with. If the frame failed,
/// the result is `nil`, the time is the least integer, and the error is an `NSError` of the tasks' domain. The method
/// is optional.
#if canImport(ObjectiveC)
  @objc(MPPImageEmbedderLiveStreamDelegate)
#endif
public protocol ImageEmbedderLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Called with the result or the error of one frame.
    @objc(imageEmbedder:didFinishEmbeddingWithResult:timestampInMilliseconds:error:)
    optional func imageEmbedder(
      _ imageEmbedder: ImageEmbedder, didFinishEmbedding result: ImageEmbedderResult?, timestampInMilliseconds: Int,
      error: (any Error)?)
  #else
    /// Called with the result or the error of one frame.
    func imageEmbedder(
      _ imageEmbedder: ImageEmbedder, didFinishEmbedding result: ImageEmbedderResult?, timestampInMilliseconds: Int,
      error: (any Error)?)
  #endif
}

#if !canImport(ObjectiveC)
  extension ImageEmbedderLiveStreamDelegate {
    /// Ignores the result.
    public func imageEmbedder(
      _ imageEmbedder: ImageEmbedder, didFinishEmbedding result: ImageEmbedderResult?, timestampInMilliseconds: Int,
      error: (any Error)?
    ) {}
  }
#endif
