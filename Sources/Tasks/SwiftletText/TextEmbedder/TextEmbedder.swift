public import SwiftletTasks

/// The options of a ``TextEmbedder``.
public struct TextEmbedderOptions: Sendable, Hashable {
  /// The model, and how it runs.
  public var baseOptions: BaseOptions
  /// A Boolean value that indicates whether vectors are scaled to unit length. Some models do this themselves.
  public var normalizesEmbedding: Bool
  /// A Boolean value that indicates whether vectors are quantized to int8, a quarter of the size. This is suited to
  /// vectors of unit length only: elements of 1 or more become 127.
  public var quantizesEmbedding: Bool

  /// Creates options. Parameters that you omit have their default values.
  public init(baseOptions: BaseOptions, normalizesEmbedding: Bool = false, quantizesEmbedding: Bool = false) {
    self.baseOptions = baseOptions
    self.normalizesEmbedding = normalizesEmbedding
    self.quantizesEmbedding = quantizesEmbedding
  }
}

/// Embeds texts: similar texts have similar feature vectors.
///
/// ```swift
/// let embedder = try TextEmbedder(.file("sentences.tflite"))
/// let first = try embedder.embedding(of: "What a great movie!")
/// let second = try embedder.embedding(of: "I liked this film.")
/// print(try first.cosineSimilarity(to: second))
/// ```
/// - Thread safety: callable concurrently; calls on one task run one at a time, unless `BaseOptions.maxConcurrentCalls`
///   is raised.
public final class TextEmbedder: Sendable {
  private let runner: TaskRunner<TextEmbedderPipeline>

  /// The capacity of a batch of texts.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }

  /// Creates a text embedder.
  ///
  /// - Throws: `TaskError` if the model is missing or is not a text embedding model.
  public init(options: TextEmbedderOptions) throws(TaskError) {
    runner = try TaskRunner(options.baseOptions, name: "textEmbedder") { try TextEmbedderPipeline(options, $0) }
  }

  /// Creates a text embedder with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout TextEmbedderOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = TextEmbedderOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  /// Returns the embedding of a text; blocks until done.
  ///
  /// - Parameters:
  ///   - text: A text of any length. A model with a fixed length processes only its beginning. A NUL is an ordinary
  ///     character.
  ///   - format: The purpose of the embedding, for models that expect it; `nil` for the text alone.
  /// - Throws: `TaskError` if the model cannot run. The next call may succeed.
  public func embedding(of text: String, format: TextFormatContext? = nil) throws(TaskError) -> Embedding {
    try runner.output(for: format?.formatted(text) ?? text)
  }

  /// Returns the embedding of a text without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func embedding(
    of text: String, format: TextFormatContext? = nil, priority: TaskPriority
  ) async throws -> Embedding {
    try await runner.output(for: format?.formatted(text) ?? text, priority: priority)
  }

  /// Returns the embeddings of many texts, in order; see ``Batch``.
  public func embeddings(ofContentsOf texts: some Sequence<String> & Sendable) -> Batch<String, Embedding> {
    runner.batch(BatchSources(texts)) { $0 }
  }

  /// Returns the embeddings of the texts of an asynchronous sequence, in order; see ``Batch``.
  public func embeddings<Texts: AsyncSequence & Sendable>(
    ofContentsOf texts: Texts
  ) -> Batch<String, Embedding> where Texts.Element == String {
    runner.batch(BatchSources(texts)) { $0 }
  }
}

/// The steps from a text to its embedding.
///
/// - Source: MediaPipe's text embedder. In addition, models with int8 outputs are accepted.
final class TextEmbedderPipeline: TaskPipeline {
  private let model: TextModel
  private let heads: EmbeddingHeads

  init(_ options: TextEmbedderOptions, _ context: ModelContext) throws {
    model = try TextModel(context)
    heads = try EmbeddingHeads(
      model.base, normalizes: options.normalizesEmbedding, quantizes: options.quantizesEmbedding,
      task: "text embedding")
  }

  func process(_ text: String) throws -> Embedding {
    try model.run(text)
    return try heads.decode(model.base)
  }
}
