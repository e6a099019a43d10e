/// What an image embedder returns.
public struct ImageEmbedderResult: Sendable, Hashable {
  public var embeddingResult: EmbeddingResult
  /// The time the frame came with; in image mode a second per call: 0 s, 1 s, 2 s, …
  public var timestamp: Duration

  public init(embeddingResult: EmbeddingResult, timestamp: Duration) {
    self.embeddingResult = embeddingResult
    self.timestamp = timestamp
  }
}
