public import SwiftletTasks

/// The options of a ``TextClassifier``.
public struct TextClassifierOptions: Sendable, Hashable, ClassChoosing {
  /// The model, and how it runs.
  public var baseOptions: BaseOptions
  /// The locale of display names, for models that have them: `en`, `de`, …
  public var displayNamesLocale: String
  /// The maximum number of classes per output of the model, at least 1; `nil` for all.
  public var maxResults: Int?
  /// The minimum score. Classes with a lower score are not reported. As in MediaPipe, a threshold in the model's
  /// metadata is ignored.
  public var scoreThreshold: Float
  /// If not empty, the names of the only categories to report.
  public var categoryAllowlist: [String]
  /// The names of categories that are not reported. Mutually exclusive with the allowlist.
  public var categoryDenylist: [String]

  /// Creates options. Parameters that you omit have their default values.
  public init(
    baseOptions: BaseOptions, displayNamesLocale: String = "en", maxResults: Int? = nil, scoreThreshold: Float = 0,
    categoryAllowlist: [String] = [], categoryDenylist: [String] = []
  ) {
    self.baseOptions = baseOptions
    self.displayNamesLocale = displayNamesLocale
    self.maxResults = maxResults
    self.scoreThreshold = scoreThreshold
    self.categoryAllowlist = categoryAllowlist
    self.categoryDenylist = categoryDenylist
  }
}

/// Classifies texts.
///
/// ```swift
/// let classifier = try TextClassifier(.file("sentiment.tflite"))
/// for category in try classifier.classification(of: "What a great movie!").categories {
///   print(category.categoryName ?? "", category.score)
/// }
/// ```
/// - Thread safety: callable concurrently; calls on one task run one at a time, unless `BaseOptions.maxConcurrentCalls`
///   is raised.
public final class TextClassifier: Sendable {
  private let runner: TaskRunner<TextClassifierPipeline>

  /// The category names of all heads of the model; empty if the model has no labels.
  public let categoryNames: [String]

  /// The capacity of a batch of texts.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }

  /// Creates a text classifier.
  ///
  /// - Throws: `TaskError` if options contradict each other, or the model is missing or is not a text classification
  ///   model.
  public init(options: TextClassifierOptions) throws(TaskError) {
    try options.categories.validate()
    var names: [String] = []
    runner = try TaskRunner(options.baseOptions, name: "textClassifier") {
      try TextClassifierPipeline(options, $0)
    } inspect: {
      names = $0.heads.categoryNames
    }
    categoryNames = names
  }

  /// Creates a text classifier with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout TextClassifierOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = TextClassifierOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  /// Returns the classification of a text; blocks until done.
  ///
  /// - Parameter text: A text of any length. A model with a fixed length processes only its beginning. A NUL is an
  ///   ordinary character.
  /// - Throws: `TaskError` if the model cannot run. The next call may succeed.
  public func classification(of text: String) throws(TaskError) -> Classification { try runner.output(for: text) }

  /// Returns the classification of a text without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func classification(of text: String, priority: TaskPriority) async throws -> Classification {
    try await runner.output(for: text, priority: priority)
  }

  /// Returns the classifications of many texts, in order; see ``Batch``.
  public func classifications(ofContentsOf texts: some Sequence<String> & Sendable) -> Batch<String, Classification> {
    runner.batch(BatchSources(texts)) { $0 }
  }

  /// Returns the classifications of the texts of an asynchronous sequence, in order; see ``Batch``.
  public func classifications<Texts: AsyncSequence & Sendable>(
    ofContentsOf texts: Texts
  ) -> Batch<String, Classification> where Texts.Element == String {
    runner.batch(BatchSources(texts)) { $0 }
  }
}

/// The steps from a text to its classification.
///
/// - Source: MediaPipe's text classifier. In addition, models with uint8 and int8 outputs are accepted.
final class TextClassifierPipeline: TaskPipeline {
  private let model: TextModel
  private(set) var heads: ClassificationHeads

  init(_ options: TextClassifierOptions, _ context: ModelContext) throws {
    model = try TextModel(context)
    heads = try ClassificationHeads(model.base, options.categories, task: "text classification")
  }

  func process(_ text: String) throws -> Classification {
    try model.run(text)
    return try heads.decode(model.base)
  }
}
