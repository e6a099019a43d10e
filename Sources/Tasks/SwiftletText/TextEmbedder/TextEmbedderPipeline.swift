import SwiftletTasks

/// The steps from a text to its embeddings.
///
/// - Source: MediaPipe's text embedder. Beyond it, models with int8 outputs are accepted.
final class TextEmbedderPipeline: TextPipeline {
  private let model: TextModel
  private let heads: EmbeddingHeads

  init(_ options: TextEmbedderOptions) throws {
    model = try TextModel(options.baseOptions)
    heads = try EmbeddingHeads(
      model.base, l2Normalize: options.l2Normalize, quantize: options.quantize, task: "text embedding")
  }

  func process(_ text: String) throws -> TextEmbedderResult {
    try model.run(text)
    return TextEmbedderResult(
      embeddingResult: EmbeddingResult(embeddings: try heads.decode(model.base), timestamp: .zero))
  }
}
