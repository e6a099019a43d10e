import SwiftletTasks

/// The steps from a text to its languages.
///
/// - Source: MediaPipe's language detector, a text classifier of one output whose classes are languages.
final class LanguageDetectorPipeline: TextPipeline {
  private let model: TextModel
  private var heads: ClassificationHeads

  init(_ options: LanguageDetectorOptions) throws {
    model = try TextModel(options.baseOptions)
    heads = try ClassificationHeads(model.base, options.categories, task: "language detection")
    guard heads.count == 1 else {
      throw TaskError(.invalidModel, "a language detection model has one output, this one has \(heads.count)")
    }
    guard heads.hasNames else {
      throw TaskError(
        .missingMetadata, "a language detection model names its languages in a label file, this one has none")
    }
  }

  func process(_ text: String) throws -> LanguageDetectorResult {
    try model.run(text)
    let categories = try heads.decode(model.base).first?.categories ?? []
    return LanguageDetectorResult(
      languagePredictions: categories.map {
        LanguagePrediction(languageCode: $0.categoryName ?? "", probability: $0.score)
      })
  }
}
