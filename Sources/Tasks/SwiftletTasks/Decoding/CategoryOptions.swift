/// Which classes a task reports: what the options of all tasks that classify have in common.
package struct CategoryOptions: Sendable, Hashable {
  /// The language of display names.
  package var displayNamesLocale: String
  /// The most classes of each output; `nil` for all.
  package var maxResults: Int?
  /// Classes with a lower score are left out.
  package var scoreThreshold: Float
  /// When not empty, only these names are reported.
  package var allowlist: [String]
  /// These names are not reported.
  package var denylist: [String]

  package init(
    displayNamesLocale: String = "en", maxResults: Int? = nil, scoreThreshold: Float = 0, allowlist: [String] = [],
    denylist: [String] = []
  ) {
    self.displayNamesLocale = displayNamesLocale
    self.maxResults = maxResults
    self.scoreThreshold = scoreThreshold
    self.allowlist = allowlist
    self.denylist = denylist
  }

  /// - Throws: `TaskError` when an option is out of its range, or the lists contradict each other.
  package func validate() throws(TaskError) {
    try CategoryFilter.validate(maxResults: maxResults)
    try CategoryFilter.validate(scoreThreshold: scoreThreshold, allow: allowlist, deny: denylist)
  }
}

/// Options of a task that reports classes: those that say which.
package protocol ClassChoosing {
  var displayNamesLocale: String { get }
  var maxResults: Int? { get }
  var scoreThreshold: Float { get }
  var categoryAllowlist: [String] { get }
  var categoryDenylist: [String] { get }
}

extension ClassChoosing {
  package var categories: CategoryOptions {
    CategoryOptions(
      displayNamesLocale: displayNamesLocale, maxResults: maxResults, scoreThreshold: scoreThreshold,
      allowlist: categoryAllowlist, denylist: categoryDenylist)
  }
}
