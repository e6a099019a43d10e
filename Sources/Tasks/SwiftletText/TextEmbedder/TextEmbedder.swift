public import SwiftletTasks

/// Turns texts into vectors by which they can be compared.
///
/// ```swift
/// let embedder = try TextEmbedder(model: .file("sentences.tflite"))
/// let first = try embedder.embed("What a great movie!").embedding
/// let second = try embedder.embed("I liked this film.").embedding
/// print(try TextEmbedder.cosineSimilarity(embedding1: first, embedding2: second))
/// ```
///
/// - Thread safety: callable concurrently; calls on one embedder run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class TextEmbedder: TextTask {
  /// What runs the task.
  public let runner: TextTaskRunner<TextEmbedderResult>

  /// - Throws: `TaskError` when the model is missing or is not a text embedding model.
  public init(options: TextEmbedderOptions) throws(TaskError) {
    runner = try TextTaskRunner(options.baseOptions, taskName: "textEmbedder") { try TextEmbedderPipeline(options) }
  }

  /// Embeds a text of any length; blocks until done.
  ///
  /// - Throws: `TaskError`, as ``TextTask/result(for:)-9chge``.
  public func embed(_ text: String) throws(TaskError) -> TextEmbedderResult { try result(for: text) }

  /// Embeds a text of any length without blocking the thread.
  ///
  /// - Throws: `TaskError`, and `CancellationError` when cancelled before the text's turn has come.
  public func embed(_ text: String) async throws -> TextEmbedderResult { try await result(for: text) }

  /// Embeds a text for a model that wants to be told what for; blocks until done.
  ///
  /// - Parameters:
  ///   - text: the text, of any length.
  ///   - format: what it is embedded for; `nil` for the text alone.
  /// - Throws: `TaskError`, as ``TextTask/result(for:)-9chge``.
  public func embed(_ text: String, format: TextFormatContext?) throws(TaskError) -> TextEmbedderResult {
    try result(for: format?.formatted(text) ?? text)
  }

  /// Embeds a text for a model that wants to be told what for, without blocking the thread.
  ///
  /// - Parameters:
  ///   - text: the text, of any length.
  ///   - format: what it is embedded for; `nil` for the text alone.
  /// - Throws: `TaskError`, and `CancellationError` when cancelled before the text's turn has come.
  public func embed(_ text: String, format: TextFormatContext?) async throws -> TextEmbedderResult {
    try await result(for: format?.formatted(text) ?? text)
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
