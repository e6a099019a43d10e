public import SwiftletTasks

/// How the languages of texts are found.
public struct LanguageDetectorOptions: TextTaskOptions, ClassChoosing {
  /// The model and how it is run.
  public var baseOptions: BaseOptions
  /// The language of display names, for models that have them. A detector reports no display names.
  public var displayNamesLocale: String
  /// The most languages reported, 1 or more; `nil` for all.
  public var maxResults: Int?
  /// Languages with a lower probability are left out.
  public var scoreThreshold: Float
  /// When not empty, only these language codes are reported.
  public var categoryAllowlist: [String]
  /// These language codes are not reported. Not together with an allow list.
  public var categoryDenylist: [String]

  /// Default options for a model.
  public init(baseOptions: BaseOptions) { self.init(baseOptions: baseOptions, maxResults: nil) }

  /// Options; what is not given has its default.
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
