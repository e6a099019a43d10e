import SwiftletCommandLine

/// In what form a task's results are printed.
enum ResultForm {
  case text, document, lines

  /// - Throws: `UsageError` for two forms at once.
  init(_ arguments: Arguments) throws(UsageError) {
    switch (arguments.flag("json"), arguments.flag("jsonl")) {
    case (true, true): throw UsageError("--json and --jsonl exclude each other")
    case (true, false): self = .document
    case (false, true): self = .lines
    case (false, false): self = .text
    }
  }
}
