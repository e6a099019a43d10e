/// What an image embedder returns.
public struct ImageEmbedderResult: Sendable, Hashable {
  /// The embeddings of the picture, of all outputs of the model.
  public var embeddingResult: EmbeddingResult
  /// The time the frame came with; in image mode a second per call: 0 s, 1 s, 2 s, …
  public var timestamp: Duration

  /// What the model's first output makes of the picture; most models have only this one. A vector of no numbers where
  /// there is none.
  public var embedding: Embedding {
    embeddingResult.embeddings.first ?? Embedding(floatEmbedding: [], quantizedEmbedding: nil, headIndex: 0)
  }

  /// The embeddings of a picture.
  public init(embeddingResult: EmbeddingResult, timestamp: Duration) {
    self.embeddingResult = embeddingResult
    self.timestamp = timestamp
  }
}
