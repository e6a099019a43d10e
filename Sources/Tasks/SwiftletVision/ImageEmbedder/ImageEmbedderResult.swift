/// What an image embedder returns.
public struct ImageEmbedderResult: Sendable, Hashable {
  public var embeddingResult: EmbeddingResult
  /// The time the frame came with; in image mode a second per call: 0, 1000, 2000, …
  public var timestampInMilliseconds: Int

  public init(embeddingResult: EmbeddingResult, timestampInMilliseconds: Int) {
    self.embeddingResult = embeddingResult
    self.timestampInMilliseconds = timestampInMilliseconds
  }
}
