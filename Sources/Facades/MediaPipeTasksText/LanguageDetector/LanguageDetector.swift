public import Foundation
import SwiftletText

/// Says which language a text is in.
///
/// - Thread safety: callable concurrently; calls on one detector run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPLanguageDetector) @objcMembers
#endif
open class LanguageDetector: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  private let task: SwiftletText.LanguageDetector

  /// Creates a language detector with default options.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not a language detection model.
  public convenience init(modelPath: String) throws {
    let options = LanguageDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a language detector with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is not
  ///   a language detection model.
  public init(options: LanguageDetectorOptions) throws {
    task = try reportingTasksErrors { try SwiftletText.LanguageDetector(options: try options.values()) }
    super.init()
  }

  /// Finds the languages of a text; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the run fails. The next call may succeed.
  #if canImport(ObjectiveC)
    @objc(detectText:error:)
  #endif
  open func detect(text: String) throws -> LanguageDetectorResult {
    try reportingTasksErrors { LanguageDetectorResult(try task.languages(of: text)) }
  }
}

/// How the languages of texts are found.
#if canImport(ObjectiveC)
  @objc(MPPLanguageDetectorOptions) @objcMembers
#endif
open class LanguageDetectorOptions: TaskOptions {
  /// The language of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = "en"
  /// The most languages reported; negative for all, 0 is an error.
  open var maxResults = -1
  /// The score threshold; results with a lower score are left out.
  open var scoreThreshold: Float = -1
  /// When not empty, only these names are reported.
  open var categoryAllowlist: [String] = []
  /// These names are not reported. Not together with an allow list.
  open var categoryDenylist: [String] = []

  /// Independent options with the same values.
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

  /// - Throws: `TasksFailure` when options contradict each other, or there is no model.
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

  /// Creates a result of these languages.
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

/// A language that a text may be in.
#if canImport(ObjectiveC)
  @objc(MPPLanguagePrediction) @objcMembers
#endif
open class LanguagePrediction: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// The language, usually a code such as `en`.
  public let languageCode: String
  /// The confidence of the model, 0…1.
  public let probability: Float

  /// Creates a language with its probability.
  public init(languageCode: String, probability: Float) {
    self.languageCode = languageCode
    self.probability = probability
  }
}
