public import SwiftletTasks

/// The options of a ``LanguageDetector``.
public struct LanguageDetectorOptions: Sendable, Hashable, ClassChoosing {
  /// The model, and how it runs.
  public var baseOptions: BaseOptions
  /// The locale of display names, for models that have them: `en`, `de`, … A detector reports no display names.
  public var displayNamesLocale: String
  /// The maximum number of languages, at least 1; `nil` for all.
  public var maxResults: Int?
  /// The minimum probability. Languages with a lower probability are not reported.
  public var scoreThreshold: Float
  /// If not empty, the codes of the only languages to report.
  public var categoryAllowlist: [String]
  /// The codes of languages that are not reported. Mutually exclusive with the allowlist.
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

/// A language of a text, with its probability.
public struct LanguagePrediction: Sendable, Hashable {
  /// The language code from the model's labels, such as `en` or `zh-Latn`.
  public var languageCode: String
  /// The probability of the language, 0…1.
  public var probability: Float

  /// Creates a language with its probability.
  public init(languageCode: String, probability: Float) {
    self.languageCode = languageCode
    self.probability = probability
  }
}

/// Detects the languages of texts.
///
/// ```swift
/// let detector = try LanguageDetector(.file("language_detector.tflite")) { $0.maxResults = 3 }
/// for language in try detector.languages(of: "Quelle belle journée !") {
///   print(language.languageCode, language.probability)
/// }
/// ```
/// - Thread safety: callable concurrently; calls on one task run one at a time, unless `BaseOptions.maxConcurrentCalls`
///   is raised.
public final class LanguageDetector: Sendable {
  private let runner: TaskRunner<LanguageDetectorPipeline>

  /// The capacity of a batch of texts.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }

  /// Creates a language detector.
  ///
  /// - Throws: `TaskError` if options contradict each other, or the model is missing or is not a language detection
  ///   model.
  public init(options: LanguageDetectorOptions) throws(TaskError) {
    try options.categories.validate()
    runner = try TaskRunner(options.baseOptions, name: "languageDetector") { try LanguageDetectorPipeline(options, $0) }
  }

  /// Creates a language detector with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout LanguageDetectorOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = LanguageDetectorOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  /// Returns the languages of a text, most likely first; blocks until done.
  ///
  /// - Parameter text: A text of any length. A model with a fixed length processes only its beginning. A NUL is an
  ///   ordinary character.
  /// - Throws: `TaskError` if the model cannot run. The next call may succeed.
  public func languages(of text: String) throws(TaskError) -> [LanguagePrediction] { try runner.output(for: text) }

  /// Returns the languages of a text, most likely first, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func languages(of text: String, priority: TaskPriority) async throws -> [LanguagePrediction] {
    try await runner.output(for: text, priority: priority)
  }

  /// Returns the languages of many texts, in order; see ``Batch``.
  public func languages(ofContentsOf texts: some Sequence<String> & Sendable) -> Batch<String, [LanguagePrediction]> {
    runner.batch(BatchSources(texts)) { $0 }
  }

  /// Returns the languages of the texts of an asynchronous sequence, in order; see ``Batch``.
  public func languages<Texts: AsyncSequence & Sendable>(
    ofContentsOf texts: Texts
  ) -> Batch<String, [LanguagePrediction]> where Texts.Element == String {
    runner.batch(BatchSources(texts)) { $0 }
  }
}

/// The steps from a text to its languages.
///
/// - Source: MediaPipe's language detector, a text classifier with one output whose classes are languages.
final class LanguageDetectorPipeline: TaskPipeline {
  private let model: TextModel
  private var heads: ClassificationHeads

  init(_ options: LanguageDetectorOptions, _ context: ModelContext) throws {
    model = try TextModel(context)
    heads = try ClassificationHeads(model.base, options.categories, task: "language detection")
    guard heads.count == 1 else {
      throw TaskError(.invalidModel, "a language detection model has one output, this one has \(heads.count)")
    }
    guard heads.hasNames else {
      throw TaskError(
        .missingMetadata, "a language detection model names its languages in a label file, this one has none")
    }
  }

  func process(_ text: String) throws -> [LanguagePrediction] {
    try model.run(text)
    return try heads.decode(model.base).categories.map {
      LanguagePrediction(languageCode: $0.categoryName ?? "", probability: $0.score)
    }
  }
}
