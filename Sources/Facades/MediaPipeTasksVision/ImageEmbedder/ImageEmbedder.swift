public import Foundation
public import class MediaPipeTasksCommon.Embedding
public import class MediaPipeTasksCommon.EmbeddingResult
import SwiftletTasks
import SwiftletVision

/// Embeds images: similar images have similar feature vectors.
///
/// - Thread safety: callable concurrently; calls on one embedder run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPImageEmbedder) @objcMembers
#endif
open class ImageEmbedder: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: all properties except the delegate, which is set once,
  // are `Sendable` constants.

  private let modes: TaskInModes<SwiftletVision.ImageEmbedder>
  /// The delegate, which need not be `Sendable`. `nonisolated(unsafe)` is correct: the property is written once, before
  /// the task is shared; a weak reference can be read on any thread; and the delegate is only called on the task's own
  /// queue, as in MediaPipe.
  private nonisolated(unsafe) weak var liveStreamDelegate: (any ImageEmbedderLiveStreamDelegate)?

  /// Creates an image embedder with default options, for single images.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not an image embedding model.
  public convenience init(modelPath: String) throws {
    let options = ImageEmbedderOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates an image embedder with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if options contradict each other, or the model is missing or is not an
  ///   image embedding model.
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

  /// The number of live-stream frames that were dropped because the task was busy. This is an addition to MediaPipe's
  /// API.
  public var droppedFrameCount: Int { modes.droppedFrameCount }

  /// Embeds an image of any size; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, and unless the task runs in image mode.
  #if canImport(ObjectiveC)
    @objc(embedImage:error:)
  #endif
  open func embed(image: MPImage) throws -> ImageEmbedderResult {
    try embed(image: image, regionOfInterest: .zero)
  }

  /// Embeds a part of an image; blocks until done.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - regionOfInterest: The part, as fractions of the stored image with the origin at the top left; `CGRect.zero`
  ///     for the whole image.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a region without an area, and unless
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
  ///   - videoFrame: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in video mode. The next frame may succeed.
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
  ///   - videoFrame: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  ///   - regionOfInterest: The part, as fractions of the stored image with the origin at the top left; `CGRect.zero`
  ///     for the whole image.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a region without an area, for a
  ///   timestamp that is not later, and unless the task runs in video mode. The next frame may succeed.
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

  /// Embeds a frame of a live stream. Returns immediately; the delegate receives the result. If the task is busy, the
  /// frame is dropped.
  ///
  /// - Parameters:
  ///   - image: The frame.
  ///   - timestampInMilliseconds: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, for a timestamp that is not later, and
  ///   unless the task runs in live-stream mode. The next frame may succeed.
  #if canImport(ObjectiveC)
    @objc(embedAsyncImage:timestampInMilliseconds:error:)
  #endif
  open func embedAsync(image: MPImage, timestampInMilliseconds: Int) throws {
    try embedAsync(image: image, timestampInMilliseconds: timestampInMilliseconds, regionOfInterest: .zero)
  }

  /// Embeds a part of a frame of a live stream. Returns immediately; the delegate receives the result. If the task is
  /// busy, the frame is dropped.
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
    @objc(embedAsyncImage:timestampInMilliseconds:regionOfInterest:error:)
  #endif
  open func embedAsync(image: MPImage, timestampInMilliseconds: Int, regionOfInterest: CGRect) throws {
    try reportingTasksErrors {
      let region = regionOfInterest.regionOfInterest
      try modes.send(image, region: region, at: timestampInMilliseconds)
    }
  }

  /// Returns the cosine similarity of two embeddings, −1…1, computed in double precision.
  ///
  /// - Returns: NaN if one of the vectors is all zeros or empty.
  /// - Throws: `TasksErrorCode.invalidArgumentError` if only one of them is quantized, or they differ in length.
  #if canImport(ObjectiveC)
    @objc(cosineSimilarityBetweenEmbedding1:andEmbedding2:error:)
  #endif
  public static func cosineSimilarity(embedding1: Embedding, embedding2: Embedding) throws -> NSNumber {
    try reportingTasksErrors { try embedding1.cosineSimilarity(to: embedding2) }
  }
}

/// The options of an image embedder.
#if canImport(ObjectiveC)
  @objc(MPPImageEmbedderOptions) @objcMembers
#endif
open class ImageEmbedderOptions: TaskOptions {
  /// The running mode: still images, a video, or a live stream.
  open var runningMode = RunningMode.image
  /// The delegate that receives the results of a live stream. Must be set in live-stream mode, and only in that mode.
  open weak var imageEmbedderLiveStreamDelegate: (any ImageEmbedderLiveStreamDelegate)?
  /// A Boolean value that indicates whether vectors are scaled to unit length. Some models do this themselves.
  open var l2Normalize = false
  /// A Boolean value that indicates whether vectors are quantized to int8, a quarter of the size. This is suited to
  /// vectors of unit length only: elements of 1 or more become 127.
  open var quantize = false

  /// Returns independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = ImageEmbedderOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.imageEmbedderLiveStreamDelegate = imageEmbedderLiveStreamDelegate
    copy.l2Normalize = l2Normalize
    copy.quantize = quantize
    return copy
  }

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if there is no model.
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

  /// Creates a result with the given embeddings, or without any if they are `nil`.
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

/// A delegate that receives the results of an image embedder in live-stream mode.
///
/// The method is called on a serial queue of the task, in the order of the frames. It is not called for frames that
/// were dropped because the task was busy. The timestamp is that of the frame. If the frame failed, the result is
/// `nil`, the timestamp is `Int.min`, and the error is an `NSError` in the tasks' domain. The method is optional.
#if canImport(ObjectiveC)
  @objc(MPPImageEmbedderLiveStreamDelegate)
#endif
public protocol ImageEmbedderLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Receives the result or the error of one frame.
    @objc(imageEmbedder:didFinishEmbeddingWithResult:timestampInMilliseconds:error:)
    optional func imageEmbedder(
      _ imageEmbedder: ImageEmbedder, didFinishEmbedding result: ImageEmbedderResult?, timestampInMilliseconds: Int,
      error: (any Error)?)
  #else
    /// Receives the result or the error of one frame.
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
