public import SwiftletTasks

/// What a text embedder returns.
public struct TextEmbedderResult: Sendable, Hashable {
  /// The embeddings of the text, of all outputs of the model.
  public var embeddingResult: EmbeddingResult

  /// What the model's first output makes of the text; most models have only this one. A vector of no numbers where there
  /// is none.
  public var embedding: Embedding {
    embeddingResult.embeddings.first ?? Embedding(floatEmbedding: [], quantizedEmbedding: nil, headIndex: 0)
  }

  /// The embeddings of a text.
  public init(embeddingResult: EmbeddingResult) {
    self.embeddingResult = embeddingResult
  }
}
