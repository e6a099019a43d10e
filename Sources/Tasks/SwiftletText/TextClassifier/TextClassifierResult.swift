public import SwiftletTasks

/// What a text classifier returns.
public struct TextClassifierResult: Sendable, Hashable {
  /// The categories of the text, of all outputs of the model.
  public var classificationResult: ClassificationResult

  /// The categories of the model's first output, best first; most models have only this one.
  public var categories: [ResultCategory] { classificationResult.classifications.first?.categories ?? [] }

  /// The categories of a text.
  public init(classificationResult: ClassificationResult) {
    self.classificationResult = classificationResult
  }
}
