import SwiftletTasks

/// Says what a text is about, with scores.
///
/// ```swift
/// let classifier = try TextClassifier(model: .file("sentiment.tflite"))
/// for category in try classifier.classify("What a great movie!").categories {
///   print(category.categoryName ?? "", category.score)
/// }
/// ```
///
/// - Thread safety: callable concurrently; calls on one classifier run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class TextClassifier: TextTask {
  /// What runs the task.
  public let runner: TextTaskRunner<TextClassifierResult>

  /// The names of the classes that the model knows, of all its heads; empty when it names none.
  package let categoryNames: [String]

  /// - Throws: `TaskError` when options contradict each other, or the model is missing or is not a text classification
  ///   model.
  public init(options: TextClassifierOptions) throws(TaskError) {
    try options.categories.validate()
    var names: [String] = []
    runner = try TextTaskRunner(options.baseOptions, taskName: "textClassifier") {
      try TextClassifierPipeline(options)
    } inspect: {
      names = $0.categoryNames
    }
    categoryNames = names
  }

  /// Classifies a text of any length; blocks until done.
  ///
  /// - Throws: `TaskError`, as ``TextTask/result(for:)-9chge``.
  public func classify(_ text: String) throws(TaskError) -> TextClassifierResult { try result(for: text) }

  /// Classifies a text of any length without blocking the thread.
  ///
  /// - Throws: `TaskError`, and `CancellationError` when cancelled before the text's turn has come.
  public func classify(_ text: String) async throws -> TextClassifierResult { try await result(for: text) }
}
