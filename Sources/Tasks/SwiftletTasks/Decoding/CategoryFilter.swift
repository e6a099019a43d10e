package import SwiftletSchema

/// The set of classes that a task may report.
package struct CategoryFilter: Sendable {
  private enum Rule: Sendable {
    case all
    case only(Set<Int>)
    case except(Set<Int>)
  }

  private let rule: Rule

  /// Creates a filter from the names to allow and to deny.
  ///
  /// Names that aren't in the label file are ignored. A list of only unknown names filters nothing, as in MediaPipe.
  ///
  /// - Throws: `TaskError` if there is a list but the model has no labels.
  package init(allow: [String], deny: [String], labels: LabelMap?) throws(TaskError) {
    let names = allow.isEmpty ? deny : allow
    guard !names.isEmpty else {
      rule = .all
      return
    }
    guard let labels else {
      throw TaskError(
        .invalidOption, "a category list is given, but the model has no labels to look the names up in")
    }
    let wanted = Set(names)
    let indices = Set(labels.labels.indices.filter { wanted.contains(labels.labels[$0]) })
    rule = indices.isEmpty ? .all : allow.isEmpty ? .except(indices) : .only(indices)
  }

  /// Checks the maximum number of results.
  ///
  /// - Throws: `TaskError` unless `maxResults` is `nil` or a valid number of results.
  package static func validate(maxResults: Int?) throws(TaskError) {
    guard let maxResults, maxResults < 1 else { return }
    throw TaskError(.invalidOption, "maxResults must be at least 1, or nil for all, got \(maxResults)")
  }

  /// Checks the options of a task that reports categories.
  ///
  /// - Throws: `TaskError` if they contradict each other.
  package static func validate(scoreThreshold: Float, allow: [String], deny: [String]) throws(TaskError) {
    guard !scoreThreshold.isNaN else { throw TaskError(.invalidOption, "scoreThreshold is not a number") }
    guard allow.isEmpty || deny.isEmpty else {
      throw TaskError(.invalidOption, "categoryAllowlist and categoryDenylist are mutually exclusive")
    }
  }

  package func allows(_ index: Int) -> Bool {
    switch rule {
    case .all: true
    case .only(let indices): indices.contains(index)
    case .except(let indices): !indices.contains(index)
    }
  }
}

/// The options that all classification tasks share, which select the classes to report.
package struct CategoryOptions: Sendable, Hashable {
  /// The locale of display names.
  package var displayNamesLocale: String
  /// The maximum number of classes per output; `nil` for all.
  package var maxResults: Int?
  /// The minimum score. Classes with a lower score are not reported.
  package var scoreThreshold: Float
  /// If not empty, the names of the only classes to report.
  package var allowlist: [String]
  /// The names of classes that are not reported.
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

  /// Checks all options.
  ///
  /// - Throws: `TaskError` if an option is out of its range, or the lists contradict each other.
  package func validate() throws(TaskError) {
    try CategoryFilter.validate(maxResults: maxResults)
    try CategoryFilter.validate(scoreThreshold: scoreThreshold, allow: allowlist, deny: denylist)
  }
}

/// The options of a task that reports classes, with the settings that select these classes.
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
