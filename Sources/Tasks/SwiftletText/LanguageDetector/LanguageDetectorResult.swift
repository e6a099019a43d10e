/// A language that a text may be in.
public struct LanguagePrediction: Sendable, Hashable {
  /// The language as the model's labels write it, usually a code such as `en` or `zh-Latn`.
  public var languageCode: String
  /// How sure the model is, 0…1.
  public var probability: Float

  /// A language with its probability.
  public init(languageCode: String, probability: Float) {
    self.languageCode = languageCode
    self.probability = probability
  }
}

/// What a language detector returns.
public struct LanguageDetectorResult: Sendable, Hashable {
  /// The languages, most likely first.
  public var languagePredictions: [LanguagePrediction]

  /// The languages of a text.
  public init(languagePredictions: [LanguagePrediction]) {
    self.languagePredictions = languagePredictions
  }
}
