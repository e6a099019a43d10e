import SwiftletCommandLine
import SwiftletBase
import SwiftletVision

/// The options of tasks that name categories: which, how many, and in what language.
struct CategoryArguments {
  let locale: String
  let maxResults: Int?
  let scoreThreshold: Float
  let allowed: [String]
  let denied: [String]

  static let locale = OptionDeclaration.value("locale", "L", "the language of display names (default: en)")

  /// - Parameters:
  ///   - results: what the task reports, in the plural.
  ///   - scope: what has the most of them.
  static func declarations(_ results: String, per scope: String) -> [OptionDeclaration] {
    [
      .value("max-results", .integer(1...Int.max), "the most \(results) \(scope) (default: all)"),
      .value(
        "score-threshold", .number(-Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude),
        "leave out \(results) with a lower score (default: 0)"),
      .value("allow", "A,B", "only these categories"),
      .value("deny", "A,B", "not these categories"),
      locale,
    ]
  }

  /// - Throws: `UsageError` for both lists.
  init(_ arguments: Arguments) throws(UsageError) {
    guard arguments.string("allow") == nil || arguments.string("deny") == nil else {
      throw UsageError("--allow and --deny exclude each other")
    }
    locale = Self.locale(arguments)
    maxResults = arguments.int("max-results")
    scoreThreshold = arguments.float("score-threshold") ?? 0
    allowed = arguments.list("allow")
    denied = arguments.list("deny")
  }

  /// Warns of categories that the model does not know: they are ignored, as in MediaPipe.
  func warn(ofAllBut known: [String]) {
    let names = Set(known)
    for (option, words) in [("allow", allowed), ("deny", denied)] {
      for word in words where !names.contains(word) {
        let hint = Suggestion.nearest(to: word, in: known).map { "; did you mean '\($0)'?" } ?? ""
        StandardStreams.warn("--\(option): the model knows no category '\(word.excerpt)', which is ignored\(hint)")
      }
    }
  }

  static func locale(_ arguments: Arguments) -> String { arguments.string("locale") ?? "en" }
}
