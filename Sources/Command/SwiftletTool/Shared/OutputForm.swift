import SwiftletCommandLine
import SwiftletVision

/// The output form of a task's results.
enum OutputForm: Sendable {
  case text, document, lines

  /// Creates the form from the command line.
  ///
  /// - Throws: `UsageError` for both `--json` and `--jsonl`.
  init(_ arguments: Arguments) throws(UsageError) {
    switch (arguments.flag("json"), arguments.flag("jsonl")) {
    case (true, true): throw UsageError("--json and --jsonl are mutually exclusive")
    case (true, false): self = .document
    case (false, true): self = .lines
    case (false, false): self = .text
    }
  }

  /// The maximum size in bytes of a result held in memory. Results of concurrent work are held until their turn.
  private static let maximumBytes = 1 << 28

  /// Returns a result in this form.
  ///
  /// - Throws: The reason why the result could not be made, or an error if it exceeds the maximum size.
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

/// The option for an HTML page in addition to the printed output, under both of its names.
enum PageArgument {
  static let names = ["html", "report"]

  /// - Parameter help: A description of the page's content.
  static func declarations(_ help: String) -> [OptionDeclaration] {
    [.value("html", .file(".html"), help), .value("report", .file(".html"), "the same as --html")]
  }

  /// Returns the file of the page, or `nil` if none was requested.
  ///
  /// - Throws: `UsageError` if both names are used.
  static func path(_ arguments: Arguments) throws(UsageError) -> String? {
    let paths = names.compactMap(arguments.string)
    guard paths.count < 2 else { throw UsageError("--html and --report are the same option; give one of them") }
    return paths.first
  }
}

/// Prints results as text, as one JSON document, or as one JSON object per line, each as soon as it is available.
struct ResultPrinter {
  private let form: OutputForm
  private let isList: Bool
  /// Whether a JSON array has been opened and must be closed.
  private var isOpen = false

  /// - Parameter isList: Whether the document is an array, even for a single result.
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

  /// Completes the document after all results.
  mutating func finish() {
    if form == .document, isList, !isOpen { StandardStreams.output("[") }
    isOpen = form == .document && isList
    close()
  }

  /// Closes the document if it was opened, so that it is valid JSON.
  mutating func close() {
    if isOpen { StandardStreams.output("]\n") }
    isOpen = false
  }
}
