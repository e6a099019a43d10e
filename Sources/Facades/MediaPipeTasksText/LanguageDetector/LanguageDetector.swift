public import Foundation
import SwiftletText

/// Detects the language of texts.
///
/// - Thread safety: callable concurrently; calls on one detector run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPLanguageDetector) @objcMembers
#endif
open class LanguageDetector: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  private let task: SwiftletText.LanguageDetector

  /// Creates a language detector with default options.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not a language detection model.
  public convenience init(modelPath: String) throws {
    let options = LanguageDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a language detector with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if options contradict each other, or the model is missing or is not a
  ///   language detection model.
  public init(options: LanguageDetectorOptions) throws {
    task = try reportingTasksErrors { try SwiftletText.LanguageDetector(options: try options.values()) }
    super.init()
  }

  /// Detects the languages of a text; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the run fails. The next call may succeed.
  #if canImport(ObjectiveC)
    @objc(detectText:error:)
  #endif
  open func detect(text: String) throws -> LanguageDetectorResult {
    try reportingTasksErrors { LanguageDetectorResult(try task.languages(of: text)) }
  }
}

/// The options of a language detector.
#if canImport(ObjectiveC)
  @objc(MPPLanguageDetectorOptions) @objcMembers
#endif
open class LanguageDetectorOptions: TaskOptions {
  /// The locale of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = "en"
  /// The maximum number of languages; negative for all. 0 is an error.
  open var maxResults = -1
  /// The minimum score. Languages with a lower score are not reported.
  open var scoreThreshold: Float = -1
  /// If not empty, the codes of the only languages to report.
  open var categoryAllowlist: [String] = []
  /// The codes of languages that are not reported. Mutually exclusive with the allowlist.
  open var categoryDenylist: [String] = []

  /// Returns independent options with the same values.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = LanguageDetectorOptions()
    copy.baseOptions = baseOptions
    copy.displayNamesLocale = displayNamesLocale
    copy.maxResults = maxResults
    copy.scoreThreshold = scoreThreshold
    copy.categoryAllowlist = categoryAllowlist
    copy.categoryDenylist = categoryDenylist
    return copy
  }

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if options contradict each other, or there is no model.
  func values() throws(TasksFailure) -> SwiftletText.LanguageDetectorOptions {
    try CategoryOptionCheck.check(
      maxResults: maxResults, allow: categoryAllowlist, deny: categoryDenylist, end: ".")
    return .init(
      baseOptions: try baseOptions.values(),
      displayNamesLocale: displayNamesLocale.isEmpty ? "en" : displayNamesLocale,
      maxResults: maxResults < 0 ? nil : maxResults,
      scoreThreshold: scoreThreshold, categoryAllowlist: categoryAllowlist, categoryDenylist: categoryDenylist)
  }
}

// Unchecked because its base class is: it has constants only.

/// The result of a language detector.
#if canImport(ObjectiveC)
  @objc(MPPLanguageDetectorResult) @objcMembers
#endif
open class LanguageDetectorResult: TaskResult, @unchecked Sendable {
  /// The languages, most likely first.
  public let languagePredictions: [LanguagePrediction]

  /// Creates a result with the given languages.
  public init(languagePredictions: [LanguagePrediction], timestampInMilliseconds: Int) {
    self.languagePredictions = languagePredictions
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ value: [SwiftletText.LanguagePrediction]) {
    self.init(
      languagePredictions: value.map {
        LanguagePrediction(languageCode: $0.languageCode, probability: $0.probability)
      },
      timestampInMilliseconds: 0)
  }
}

/// A language of a text, with its probability.
#if canImport(ObjectiveC)
  @objc(MPPLanguagePrediction) @objcMembers
#endif
open class LanguagePrediction: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The language code, such as `en`.
  public let languageCode: String
  /// The probability of the language, 0…1.
  public let probability: Float

  /// Creates a language with its probability.
  public init(languageCode: String, probability: Float) {
    self.languageCode = languageCode
    self.probability = probability
  }
}
