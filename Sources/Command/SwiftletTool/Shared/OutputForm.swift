import SwiftletCommandLine
import SwiftletVision

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

  /// The most bytes of one result that are held at once: what is done at the same time is held until it is its turn.
  private static let mostBytes = 1 << 28

  /// A result in this form.
  ///
  /// - Throws: Why it cannot be made, and that it is too long to be held.
  func rendered(_ result: any PrintableResult) throws -> String {
    var text = ""
    try result.write(self) { piece in
      guard text.utf8.count + piece.utf8.count <= Self.mostBytes else {
        throw TaskError(
          .limitExceeded,
          "the output takes more than \(Self.mostBytes) bytes; ask for fewer results, as with --max-results")
      }
      text += piece
    }
    return text
  }
}
