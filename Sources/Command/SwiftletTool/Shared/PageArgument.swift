import SwiftletCommandLine

/// The option for a page beside what a command prints, under both of its names.
enum PageArgument {
  static let names = ["html", "report"]

  /// - Parameter help: what the page shows.
  static func declarations(_ help: String) -> [OptionDeclaration] {
    [.value("html", .file(".html"), help), .value("report", .file(".html"), "the same as --html")]
  }

  /// The page's file, `nil` where none is asked for.
  ///
  /// - Throws: `UsageError` where both names are given.
  static func path(_ arguments: Arguments) throws(UsageError) -> String? {
    let paths = names.compactMap(arguments.string)
    guard paths.count < 2 else { throw UsageError("--html and --report are the same option; give one of them") }
    return paths.first
  }
}
