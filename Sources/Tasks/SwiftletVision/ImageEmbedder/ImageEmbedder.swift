public import SwiftletImage
public import SwiftletTasks

/// The options of an ``ImageEmbedder``.
public struct ImageEmbedderOptions: Sendable, Hashable {
  /// The model, and how it runs.
  public var baseOptions: BaseOptions
  /// A Boolean value that indicates whether vectors are scaled to unit length. Some models do this themselves.
  public var normalizesEmbedding: Bool
  /// A Boolean value that indicates whether vectors are quantized to int8, a quarter of the size. This is suited to
  /// vectors of unit length only: elements of 1 or more become 127.
  public var quantizesEmbedding: Bool

  /// Creates options. Parameters that you omit have their default values.
  public init(
    baseOptions: BaseOptions, normalizesEmbedding: Bool = false, quantizesEmbedding: Bool = false
  ) {
    self.baseOptions = baseOptions
    self.normalizesEmbedding = normalizesEmbedding
    self.quantizesEmbedding = quantizesEmbedding
  }
}

/// Embeds images: similar images have similar feature vectors.
///
/// ```swift
/// let embedder = try ImageEmbedder(.file("mobilenet_v3_small_embedder.tflite"))
/// print(try embedder.embedding(of: first).cosineSimilarity(to: embedder.embedding(of: second)))
/// ```
/// - Thread safety: callable concurrently; calls on one task run one at a time, unless `BaseOptions.maxConcurrentCalls`
///   is raised.
public final class ImageEmbedder: RegionTask {
  /// The feature vectors of an image.
  public typealias Output = Embedding

  private let runner: TaskRunner<ImageEmbedderPipeline>

  /// The capacity of a batch of images.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }

  /// Creates an image embedder.
  ///
  /// - Throws: `TaskError` if the model is missing or is not an image embedding model.
  public init(options: ImageEmbedderOptions) throws(TaskError) {
    runner = try TaskRunner(options.baseOptions, name: "imageEmbedder") { try ImageEmbedderPipeline(options, $0) }
  }

  /// Creates an image embedder with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout ImageEmbedderOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = ImageEmbedderOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  // MARK: Images

  /// Returns the embedding of an image, or of a part of it; blocks until done.
  ///
  /// - Parameters:
  ///   - image: An image of any size, in any orientation.
  ///   - region: The part, in coordinates of the stored image; `nil` for the whole image. It may be rotated.
  /// - Throws: `TaskError`, such as `invalidRegion` for a region without an area. The next call may succeed.
  public func embedding(of image: InputImage, region: NormalizedRect? = nil) throws(TaskError) -> Embedding {
    try runner.output(for: VisionInput(image, region: region))
  }

  /// Returns the embedding of an image, or of a part of it, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func embedding(of image: InputImage, region: NormalizedRect? = nil, priority: TaskPriority) async throws
    -> Embedding
  {
    try await runner.output(for: VisionInput(image, region: region), priority: priority)
  }

  /// Returns the embedding of many images, in order; see ``Batch``.
  public func embeddings(ofContentsOf images: some Sequence<InputImage> & Sendable) -> Batch<InputImage, Embedding> {
    runner.batch(BatchSources(images)) { VisionInput($0) }
  }

  /// Returns the embedding of many images, in order; `load` creates each image; see ``Batch``.
  public func embeddings<Sources: Sequence & Sendable>(
    ofContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, Embedding> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  /// Returns the embedding of many images, in order; `load` creates each image from an element of an asynchronous
  /// sequence; see ``Batch``.
  public func embeddings<Sources: AsyncSequence & Sendable>(
    ofContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> InputImage
  ) -> Batch<Sources.Element, Embedding> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources)) { VisionInput(try await load($0)) }
  }

  // MARK: Videos and cameras

  /// Opens a session for the frames of one video.
  public func video() -> VideoSession<ImageEmbedder> { VideoSession(runner.session()) }
}

extension VideoSession where SomeTask == ImageEmbedder {
  /// Returns the embedding of the next frame of the video, or of a part of it; blocks until done.
  ///
  /// - Parameters:
  ///   - frame: The frame, in any orientation.
  ///   - region: The part, in coordinates of the stored image; `nil` for the whole image.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: `TaskError`, such as `timeNotIncreasing`. The session is then unchanged.
  public func embedding(of frame: InputImage, region: NormalizedRect? = nil, at time: Duration) throws(TaskError)
    -> Embedding
  {
    try output(for: frame, region: region, at: time)
  }

  /// Returns the embedding of the next frame of the video, or of a part of it, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func embedding(
    of frame: InputImage, region: NormalizedRect? = nil, at time: Duration, priority: TaskPriority
  ) async throws -> Embedding {
    try await output(for: frame, region: region, at: time, priority: priority)
  }
}

/// The steps from an image to its embedding.
///
/// - Source: MediaPipe's image embedder. In addition, models with int8 outputs are accepted, and models without
///   metadata if `BaseOptions.inputNormalization` is set.
final class ImageEmbedderPipeline: VisionPipeline {
  private let model: VisionModel
  private let heads: EmbeddingHeads

  init(_ options: ImageEmbedderOptions, _ context: ModelContext) throws {
    model = try VisionModel(context, input: .stretched)
    heads = try EmbeddingHeads(
      model.base, normalizes: options.normalizesEmbedding, quantizes: options.quantizesEmbedding,
      task: "image embedding")
  }

  func process(_ input: VisionInput) throws -> Embedding {
    _ = try model.run(input.image, region: input.region)
    return try heads.decode(model.base)
  }
}
