/// Which gestures a classifier of the gesture recognizer may report.
public struct GestureClassifierOptions: Sendable, Hashable {
  /// The language of display names. Gestures are reported by name only, as in MediaPipe.
  public var displayNamesLocale: String
  /// The most gestures that are looked at, 1 or more; `nil` for all. As the best one counts, it changes nothing.
  public var maxResults: Int?
  /// Gestures with a lower score are left out.
  public var scoreThreshold: Float
  /// When not empty, only these names are reported, whatever the deny list says.
  public var categoryAllowlist: [String]
  /// These names are not reported.
  public var categoryDenylist: [String]

  /// Options; what is not given has its default.
  public init(
    displayNamesLocale: String = "en", maxResults: Int? = nil, scoreThreshold: Float = 0,
    categoryAllowlist: [String] = [], categoryDenylist: [String] = []
  ) {
    self.displayNamesLocale = displayNamesLocale
    self.maxResults = maxResults
    self.scoreThreshold = scoreThreshold
    self.categoryAllowlist = categoryAllowlist
    self.categoryDenylist = categoryDenylist
  }

  /// What a classifier's output is read with: here both lists may be given.
  var categories: CategoryOptions {
    CategoryOptions(
      displayNamesLocale: displayNamesLocale, maxResults: maxResults, scoreThreshold: scoreThreshold,
      allowlist: categoryAllowlist, denylist: categoryAllowlist.isEmpty ? categoryDenylist : [])
  }
}
