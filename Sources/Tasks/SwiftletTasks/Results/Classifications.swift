/// The classes that one output of a model finds.
public struct Classifications: Sendable, Hashable {
  /// Which output of the model this is.
  public var headIndex: Int
  /// The output's name in the model's metadata, if it has one.
  public var headName: String?
  /// Best first; classes with equal scores in the order of their numbers.
  public var categories: [ResultCategory]

  /// The categories of one head.
  public init(headIndex: Int, headName: String? = nil, categories: [ResultCategory]) {
    self.headIndex = headIndex
    self.headName = headName
    self.categories = categories
  }
}

/// What a model finds in one picture, one piece of sound or one text.
public struct ClassificationResult: Sendable, Hashable {
  /// One per output of the model, in order.
  public var classifications: [Classifications]
  /// The time the frame came with, and for sound that of the piece's beginning; in image mode a second per call: 0 s, 1 s,
  /// 2 s, …; 0 for a text.
  public var timestamp: Duration

  /// The categories of all heads of a model.
  public init(classifications: [Classifications], timestamp: Duration) {
    self.classifications = classifications
    self.timestamp = timestamp
  }
}
