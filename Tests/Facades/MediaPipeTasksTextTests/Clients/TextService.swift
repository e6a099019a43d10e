// Client code as in an app: it has no other import, and uses no name of this package.
import MediaPipeTasksText

/// A result with the time it took.
struct TextResult {
  let inferenceTime: TimeInterval
  let categories: [ResultCategory]
}

/// Classifies text as it is typed.
final class TextService {
  private let textClassifier: TextClassifier

  init?(modelPath: String?) {
    guard let modelPath = modelPath ?? Bundle.main.path(forResource: "text", ofType: "tflite"),
      FileManager.default.fileExists(atPath: modelPath),
      let classifier = try? TextClassifier(modelPath: modelPath)
    else { return nil }
    textClassifier = classifier
  }

  func classify(_ text: String) throws -> TextResult {
    let begin = Date()
    let result = try textClassifier.classify(text: text)
    let categories = result.classificationResult.classifications.flatMap { $0.categories }
    return TextResult(inferenceTime: Date().timeIntervalSince(begin), categories: categories)
  }
}
