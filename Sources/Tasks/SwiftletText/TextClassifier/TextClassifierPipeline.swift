import SwiftletTasks

/// The steps from a text to its classes.
///
/// - Source: MediaPipe's text classifier. Beyond it, models with uint8 and int8 outputs are accepted.
final class TextClassifierPipeline: TextPipeline {
  private let model: TextModel
  private var heads: ClassificationHeads

  init(_ options: TextClassifierOptions) throws {
    model = try TextModel(options.baseOptions)
    heads = try ClassificationHeads(model.base, options.categories, task: "text classification")
  }

  var categoryNames: [String] { heads.categoryNames }

  func process(_ text: String) throws -> TextClassifierResult {
    try model.run(text)
    return TextClassifierResult(
      classificationResult: ClassificationResult(classifications: try heads.decode(model.base), timestamp: .zero))
  }
}
