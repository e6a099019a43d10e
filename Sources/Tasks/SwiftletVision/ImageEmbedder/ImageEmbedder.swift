public import SwiftletImage

/// Turns pictures into vectors by which they can be compared.
///
/// ```swift
/// let embedder = try ImageEmbedder(model: .file("mobilenet_v3_small_embedder.tflite"))
/// let first = try embedder.embed(one).embedding
/// let second = try embedder.embed(another).embedding
/// print(try ImageEmbedder.cosineSimilarity(embedding1: first, embedding2: second))
/// ```
///
/// - Thread safety: callable concurrently; calls on one embedder run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class ImageEmbedder: VisionTask {
  /// What runs the task.
  public let runner: VisionTaskRunner<ImageEmbedderResult>

  /// - Throws: `TaskError` when the model is missing or is not an image embedding model.
  public init(options: ImageEmbedderOptions) throws(TaskError) {
    runner = try VisionTaskRunner(
      runningMode: options.runningMode, calls: options.baseOptions.callLimits, taskName: "imageEmbedder"
    ) {
      try ImageEmbedderPipeline(options)
    }
  }

  /// Embeds a picture of any size, or a part of it; blocks until done.
  ///
  /// Parameters and errors are those of ``VisionTask/result(for:regionOfInterest:at:)-8mrti``.
  public func embed(
    _ image: MPImage, regionOfInterest: NormalizedRect? = nil, at time: Duration? = nil
  ) throws(TaskError) -> ImageEmbedderResult {
    try result(for: image, regionOfInterest: regionOfInterest, at: time)
  }

  /// Embeds a picture of any size, or a part of it, without blocking the thread.
  public func embed(
    _ image: MPImage, regionOfInterest: NormalizedRect? = nil, at time: Duration? = nil
  ) async throws -> ImageEmbedderResult {
    try await result(for: image, regionOfInterest: regionOfInterest, at: time)
  }

  /// How alike two embeddings are: the cosine of the angle between them, −1…1, computed in double precision.
  ///
  /// - Returns: not a number when one of the vectors is all zeros or empty, as with MediaPipe on iOS.
  /// - Throws: `TaskError` (`invalidArgument`) when one is quantised and the other is not, or when they differ in
  ///   length.
  public static func cosineSimilarity(embedding1: Embedding, embedding2: Embedding) throws(TaskError) -> Double {
    try CosineSimilarity.between(embedding1, embedding2)
  }
}
