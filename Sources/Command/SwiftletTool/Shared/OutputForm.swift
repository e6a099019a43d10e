import SwiftletCommandLine

/// The form of what a task prints.
enum OutputForm: Sendable {
  case text, document, lines

  /// - Throws: `UsageError` for both `--json` and `--jsonl`.
  init(_ arguments: Arguments) throws(UsageError) {
    switch (arguments.flag("json"), arguments.flag("jsonl")) {
    case (true, true): throw UsageError("--json and --jsonl exclude each other")
    case (true, false): self = .document
    case (false, true): self = .lines
    case (false, false): self = .text
    }
  }

  /// A result in this form.
  func rendered(_ result: any PrintableResult) -> String { self == .text ? result.text : result.json.text }
}
