/// What an image classifier returns.
public struct ImageClassifierResult: Sendable, Hashable {
  public var classificationResult: ClassificationResult
  /// The time the frame came with; in image mode a second per call: 0, 1000, 2000, …
  public var timestampInMilliseconds: Int

  public init(classificationResult: ClassificationResult, timestampInMilliseconds: Int) {
    self.classificationResult = classificationResult
    self.timestampInMilliseconds = timestampInMilliseconds
  }
}
