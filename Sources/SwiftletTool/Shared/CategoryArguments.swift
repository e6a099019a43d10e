import SwiftletCommandLine
import SwiftletVision

/// The options of tasks that name categories: which, how many, and in what language.
struct CategoryArguments {
  let locale: String
  let maxResults: Int
  let scoreThreshold: Float
  let allowed: [String]
  let denied: [String]

  static let locale = OptionDeclaration.value("locale", "L", "the language of display names (default: en)")

  /// - Parameters:
  ///   - results: what the task reports, in the plural.
  ///   - scope: what has the most of them.
  static func declarations(_ results: String, per scope: String) -> [OptionDeclaration] {
    [
      .value("max-results", "N", "the most \(results) \(scope) (default: all)"),
      .value("score-threshold", "X", "leave out \(results) with a lower score (default: 0)"),
      .value("allow", "A,B", "only these categories"),
      .value("deny", "A,B", "not these categories"),
      locale,
    ]
  }

  /// - Throws: `UsageError` for values out of range and for both lists.
  init(_ arguments: Arguments) throws(UsageError) {
    guard arguments.string("allow") == nil || arguments.string("deny") == nil else {
      throw UsageError("--allow and --deny exclude each other")
    }
    locale = Self.locale(arguments)
    maxResults = try arguments.int("max-results", in: 1...Int.max) ?? -1
    scoreThreshold =
      try arguments.float("score-threshold", in: -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude) ?? 0
    allowed = arguments.list("allow")
    denied = arguments.list("deny")
  }

  static func locale(_ arguments: Arguments) -> String { arguments.string("locale") ?? "en" }
}
