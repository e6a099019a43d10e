import SwiftletSchema

/// Which classes a task may report.
struct CategoryFilter: Sendable {
  private enum Rule: Sendable {
    case all
    case only(Set<Int>)
    case except(Set<Int>)
  }

  private let rule: Rule

  /// Names that the model does not know are ignored; a list of only unknown names filters nothing, as in MediaPipe.
  ///
  /// - Throws: `VisionTaskError` when there is a list but the model has no labels.
  init(allow: [String], deny: [String], labels: LabelMap?) throws(VisionTaskError) {
    let names = allow.isEmpty ? deny : allow
    guard !names.isEmpty else {
      rule = .all
      return
    }
    guard let labels else {
      throw VisionTaskError(
        .invalidOption, "a category list is given, but the model has no labels to look the names up in")
    }
    let wanted = Set(names)
    let indices = Set(labels.labels.indices.filter { wanted.contains(labels.labels[$0]) })
    rule = indices.isEmpty ? .all : allow.isEmpty ? .except(indices) : .only(indices)
  }

  /// - Throws: `VisionTaskError` for what is no number of results.
  static func validate(maxResults: Int?) throws(VisionTaskError) {
    guard let maxResults, maxResults < 1 else { return }
    throw VisionTaskError(.invalidOption, "maxResults is \(maxResults); give 1 or more, or nil for all")
  }

  /// Checks the options of a task that reports categories.
  ///
  /// - Throws: `VisionTaskError` when they contradict each other.
  static func validate(scoreThreshold: Float, allow: [String], deny: [String]) throws(VisionTaskError) {
    guard !scoreThreshold.isNaN else { throw VisionTaskError(.invalidOption, "scoreThreshold is not a number") }
    guard allow.isEmpty || deny.isEmpty else {
      throw VisionTaskError(.invalidOption, "categoryAllowlist and categoryDenylist are both given; give one of them")
    }
  }

  func allows(_ index: Int) -> Bool {
    switch rule {
    case .all: true
    case .only(let indices): indices.contains(index)
    case .except(let indices): !indices.contains(index)
    }
  }
}
