public import Foundation

/// A language that a text may be in.
#if canImport(ObjectiveC)
  @objc(MPPLanguagePrediction) @objcMembers
#endif
open class LanguagePrediction: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// The language, usually a code such as `en`.
  public let languageCode: String
  /// How sure the model is, 0…1.
  public let probability: Float

  /// A language with its probability.
  public init(languageCode: String, probability: Float) {
    self.languageCode = languageCode
    self.probability = probability
  }
}
