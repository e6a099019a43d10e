public import SwiftletImage

/// Turns pictures into vectors by which they can be compared.
///
/// ```swift
/// let embedder = try ImageEmbedder(model: .file("mobilenet_v3_small_embedder.tflite"))
/// let first = try embedder.embed(image: one).embeddingResult.embeddings[0]
/// let second = try embedder.embed(image: another).embeddingResult.embeddings[0]
/// print(try ImageEmbedder.cosineSimilarity(embedding1: first, embedding2: second))
/// ```
///
/// - Thread safety: callable concurrently; calls on one embedder run one after the other.
public final class ImageEmbedder: VisionTask {
  private let runner: VisionTaskRunner<ImageEmbedderPipeline>

  public var liveStream: LiveStream<ImageEmbedderResult> { runner.liveStream }

  /// An embedder with default options, for single pictures.
  ///
  /// - Throws: `VisionTaskError` when the model is missing or is not an image embedding model.
  public convenience init(model: ModelSource) throws {
    try self.init(options: ImageEmbedderOptions(baseOptions: BaseOptions(model: model)))
  }

  /// - Throws: `VisionTaskError` when the model is missing or is not an image embedding model.
  public init(options: ImageEmbedderOptions) throws {
    runner = try VisionTaskRunner(runningMode: options.runningMode, taskName: "imageEmbedder") {
      try ImageEmbedderPipeline(options)
    }
  }

  /// Embeds a picture of any size, or a part of it; blocks until done.
  ///
  /// - Parameter regionOfInterest: the part, in coordinates of the stored picture; `nil` for all of it.
  /// - Throws: `VisionTaskError` for mirrored orientations, for a region without an area, and
  ///   unless the task runs in image mode.
  public func embed(image: MPImage, regionOfInterest: NormalizedRect? = nil) throws -> ImageEmbedderResult {
    try runner.image(image, regionOfInterest: regionOfInterest)
  }

  /// Embeds a picture of any size, or a part of it, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the picture's turn has come.
  public func embed(image: MPImage, regionOfInterest: NormalizedRect? = nil) async throws -> ImageEmbedderResult {
    try await runner.imageAsync(image, regionOfInterest: regionOfInterest)
  }

  /// Embeds a frame of a video, or a part of it; blocks until done.
  ///
  /// - Parameters:
  ///   - timestamp: the time of the frame, later than that of the last one.
  ///   - regionOfInterest: the part, in coordinates of the stored picture; `nil` for all of it.
  /// - Throws: `VisionTaskError` for mirrored orientations, for a region without an area, for a
  ///   time that is not later, and unless the task runs in video mode. The next frame may succeed.
  public func embed(
    videoFrame: MPImage, timestamp: Duration, regionOfInterest: NormalizedRect? = nil
  ) throws -> ImageEmbedderResult {
    try runner.video(
      videoFrame, timestamp: timestamp, regionOfInterest: regionOfInterest)
  }

  /// Embeds a frame of a video, or a part of it, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled before the frame's turn has come.
  public func embed(
    videoFrame: MPImage, timestamp: Duration, regionOfInterest: NormalizedRect? = nil
  ) async throws -> ImageEmbedderResult {
    try await runner.videoAsync(
      videoFrame, timestamp: timestamp, regionOfInterest: regionOfInterest)
  }

  /// Has a frame of a live stream embedded; returns at once. The result comes through `liveResults`, unless the task is
  /// busy: then the frame is dropped and counted in `droppedFrameCount`.
  ///
  /// - Parameters:
  ///   - timestamp: the time of the frame, later than that of the last one.
  ///   - regionOfInterest: the part, in coordinates of the stored picture; `nil` for all of it.
  /// - Throws: `VisionTaskError` for mirrored orientations, for a time that is not later, and
  ///   unless the task runs in live-stream mode. The next frame may succeed. A region without an area is told as the
  ///   frame's result.
  public func embedAsync(
    image: MPImage, timestamp: Duration, regionOfInterest: NormalizedRect? = nil
  ) throws {
    try runner.send(image, timestamp: timestamp, regionOfInterest: regionOfInterest)
  }

  /// How alike two embeddings are: the cosine of the angle between them, −1…1, computed in double precision.
  ///
  /// - Returns: not a number when one of the vectors is all zeros or empty, as with MediaPipe on iOS.
  /// - Throws: `VisionTaskError` (`invalidArgument`) when one is quantised and the other is not, or when they differ in
  ///   length.
  public static func cosineSimilarity(embedding1: Embedding, embedding2: Embedding) throws(VisionTaskError) -> Double {
    try CosineSimilarity.between(embedding1, embedding2)
  }
}
