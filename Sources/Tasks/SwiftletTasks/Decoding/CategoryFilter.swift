package import SwiftletSchema

/// Which classes a task may report.
package struct CategoryFilter: Sendable {
  private enum Rule: Sendable {
    case all
    case only(Set<Int>)
    case except(Set<Int>)
  }

  private let rule: Rule

  /// Names that the model does not know are ignored; a list of only unknown names filters nothing, as in MediaPipe.
  ///
  /// - Throws: `TaskError` when there is a list but the model has no labels.
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

  /// - Throws: `TaskError` for what is no number of results.
  package static func validate(maxResults: Int?) throws(TaskError) {
    guard let maxResults, maxResults < 1 else { return }
    throw TaskError(.invalidOption, "maxResults is \(maxResults); give 1 or more, or nil for all")
  }

  /// Checks the options of a task that reports categories.
  ///
  /// - Throws: `TaskError` when they contradict each other.
  package static func validate(scoreThreshold: Float, allow: [String], deny: [String]) throws(TaskError) {
    guard !scoreThreshold.isNaN else { throw TaskError(.invalidOption, "scoreThreshold is not a number") }
    guard allow.isEmpty || deny.isEmpty else {
      throw TaskError(.invalidOption, "categoryAllowlist and categoryDenylist are both given; give one of them")
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
