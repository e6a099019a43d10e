/// What a model makes of a picture or a text: a vector that is close to those of similar ones.
///
/// Exactly one of ``floatEmbedding`` and ``quantizedEmbedding`` is there.
public struct Embedding: Sendable, Hashable {
  /// The vector, unless quantised ones were asked for.
  public var floatEmbedding: [Float]?
  /// The vector times 128, rounded and limited to −128…127, if quantised ones were asked for.
  public var quantizedEmbedding: [Int8]?
  /// Which output of the model this is.
  public var headIndex: Int
  /// The output's name in the model's metadata; `nil` when none of its outputs has one, empty when only others have.
  public var headName: String?

  /// An embedding in one of the two forms.
  public init(floatEmbedding: [Float]?, quantizedEmbedding: [Int8]?, headIndex: Int, headName: String? = nil) {
    self.floatEmbedding = floatEmbedding
    self.quantizedEmbedding = quantizedEmbedding
    self.headIndex = headIndex
    self.headName = headName
  }
}

/// The embeddings of one picture or one text.
public struct EmbeddingResult: Sendable, Hashable {
  /// One per output of the model, in order.
  public var embeddings: [Embedding]
  /// The time the frame came with; in image mode a second per call: 0 s, 1 s, 2 s, …; 0 for a text.
  public var timestamp: Duration

  /// The embeddings of all heads of a model.
  public init(embeddings: [Embedding], timestamp: Duration) {
    self.embeddings = embeddings
    self.timestamp = timestamp
  }
}
