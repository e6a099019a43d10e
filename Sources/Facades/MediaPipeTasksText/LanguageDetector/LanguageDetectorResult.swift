import SwiftletText

// Unchecked because its base class is: it has constants only.

/// What a language detector returns.
#if canImport(ObjectiveC)
  @objc(MPPLanguageDetectorResult) @objcMembers
#endif
open class LanguageDetectorResult: TaskResult, @unchecked Sendable {
  /// The languages, most likely first.
  public let languagePredictions: [LanguagePrediction]

  /// A result of these languages.
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
