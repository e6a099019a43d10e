import SwiftletJSON
import SwiftletDrawing

/// What a task says of an operand, in the forms that the command line gives it.
protocol PrintableResult {
  /// The object of `--json` and `--jsonl`.
  var json: JSONValue { get }
  /// Lines for people, each with its end.
  var text: String { get }

  /// Gives the result in a form, in one piece or in several, so that long ones need not be held as a whole.
  ///
  /// - Throws: What `output` throws, and why the result could not be made to its end.
  func write(_ form: OutputForm, to output: (String) throws -> Void) throws
}

extension PrintableResult {
  func write(_ form: OutputForm, to output: (String) throws -> Void) throws {
    try output(form == .text ? text : json.text)
  }
}

/// What a task says of a picture.
protocol PictureResult: PrintableResult {
  /// Draws it onto the picture as it is stored.
  func draw(on canvas: inout Canvas) throws
}
