import SwiftletCommandLine
import SwiftletVision

/// The form of what a task prints.
enum OutputForm: Sendable {
  case text, document, lines

  /// - Throws: `UsageError` for both `--json` and `--jsonl`.
  init(_ arguments: Arguments) throws(UsageError) {
    switch (arguments.flag("json"), arguments.flag("jsonl")) {
    case (true, true): throw UsageError("--json and --jsonl are mutually exclusive")
    case (true, false): self = .document
    case (false, true): self = .lines
    case (false, false): self = .text
    }
  }

  /// The most bytes of one result that are held at once: what is done at the same time is held until it is its turn.
  private static let maximumBytes = 1 << 28

  /// A result in this form.
  ///
  /// - Throws: Why it cannot be made, and that it is too long to be held.
  func rendered(_ result: any PrintableResult) throws -> String {
    var text = ""
    try result.write(self) { piece in
      guard text.utf8.count + piece.utf8.count <= Self.maximumBytes else {
        throw TaskError(
          .limitExceeded,
          "the output takes more than \(Self.maximumBytes) bytes; ask for fewer results, as with --max-results")
      }
      text += piece
    }
    return text
  }
}

/// The option for a page next to what a command prints, under both of its names.
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

/// Prints results as lines for people, as one JSON document, or as one JSON object a line; each as soon as it is there.
struct ResultPrinter {
  private let form: OutputForm
  private let isList: Bool
  /// Whether an array is begun that has to be ended.
  private var isOpen = false

  /// - Parameter isList: whether the document is an array, also of one result.
  init(_ form: OutputForm, isList: Bool) {
    self.form = form
    self.isList = isList
  }

  /// Prints a result in the printer's form.
  mutating func print(_ rendered: String) {
    switch form {
    case .text: StandardStreams.output(rendered)
    case .document where isList:
      StandardStreams.output((isOpen ? "," : "[") + rendered)
      isOpen = true
    case .document, .lines: StandardStreams.output(rendered + "\n")
    }
  }

  /// - Throws: As `OutputForm.rendered`.
  mutating func print(_ result: any PrintableResult) throws { print(try form.rendered(result)) }

  /// Ends the document after all results.
  mutating func finish() {
    if form == .document, isList, !isOpen { StandardStreams.output("[") }
    isOpen = form == .document && isList
    close()
  }

  /// Ends the document, if it is begun, so that it is one.
  mutating func close() {
    if isOpen { StandardStreams.output("]\n") }
    isOpen = false
  }
}
