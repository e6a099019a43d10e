import SwiftletCommandLine
import SwiftletJSON

/// Prints results as lines for people, as one JSON document, or as one JSON object a line.
struct ResultPrinter {
  let form: OutputForm
  private var documents: [JSONValue] = []

  /// - Throws: `UsageError` for two forms.
  init(_ arguments: Arguments) throws(UsageError) {
    form = try OutputForm(arguments)
  }

  /// Prints a result, unless it is to be a part of a document.
  mutating func print(json: @autoclosure () -> JSONValue, text: @autoclosure () -> String) {
    switch form {
    case .text: StandardStreams.output(text())
    case .lines: StandardStreams.output(json().text + "\n")
    case .document: documents.append(json())
    }
  }

  /// Prints the document, if there is to be one.
  ///
  /// - Parameter isList: whether it is an array also of one result.
  func finish(isList: Bool) {
    guard form == .document else { return }
    StandardStreams.output((isList ? .array(documents) : documents.first ?? .null).text + "\n")
  }
}
