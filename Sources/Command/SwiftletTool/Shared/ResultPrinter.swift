import SwiftletCommandLine

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
