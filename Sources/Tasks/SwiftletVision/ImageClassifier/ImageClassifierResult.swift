/// What an image classifier returns.
public struct ImageClassifierResult: Sendable, Hashable {
  /// The categories of the picture, of all outputs of the model.
  public var classificationResult: ClassificationResult
  /// The time the frame came with; in image mode a second per call: 0 s, 1 s, 2 s, …
  public var timestamp: Duration

  /// The categories of the model's first output, best first; most models have only this one.
  public var categories: [ResultCategory] { classificationResult.classifications.first?.categories ?? [] }

  /// The categories of a picture.
  public init(classificationResult: ClassificationResult, timestamp: Duration) {
    self.classificationResult = classificationResult
    self.timestamp = timestamp
  }
}
