/// What an image embedder returns.
public struct ImageEmbedderResult: Sendable, Hashable {
  /// The embeddings of the picture.
  public var embeddingResult: EmbeddingResult
  /// The time the frame came with; in image mode a second per call: 0 s, 1 s, 2 s, …
  public var timestamp: Duration

  /// The embeddings of a picture.
  public init(embeddingResult: EmbeddingResult, timestamp: Duration) {
    self.embeddingResult = embeddingResult
    self.timestamp = timestamp
  }
}
