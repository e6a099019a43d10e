import SwiftletTasks

/// Says which language a text is in.
///
/// ```swift
/// let detector = try LanguageDetector(model: .file("language_detector.tflite")) { $0.maxResults = 3 }
/// for language in try detector.detect("Quelle belle journée !").languagePredictions {
///   print(language.languageCode, language.probability)
/// }
/// ```
///
/// - Thread safety: callable concurrently; calls on one detector run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class LanguageDetector: TextTask {
  /// What runs the task.
  public let runner: TextTaskRunner<LanguageDetectorResult>

  /// - Throws: `TaskError` when options contradict each other, or the model is missing or is not a language detection
  ///   model.
  public init(options: LanguageDetectorOptions) throws(TaskError) {
    try options.categories.validate()
    runner = try TextTaskRunner(options.baseOptions, taskName: "languageDetector") {
      try LanguageDetectorPipeline(options)
    }
  }

  /// Finds the languages of a text; blocks until done.
  ///
  /// - Throws: `TaskError`, as ``TextTask/result(for:)-9chge``.
  public func detect(_ text: String) throws(TaskError) -> LanguageDetectorResult { try result(for: text) }

  /// Finds the languages of a text without blocking the thread.
  ///
  /// - Throws: `TaskError`, and `CancellationError` when cancelled before the text's turn has come.
  public func detect(_ text: String) async throws -> LanguageDetectorResult { try await result(for: text) }
}
