import SwiftletJSON
import SwiftletDrawing

/// What a task says of an operand, in the forms that the command line gives it.
protocol PrintableResult {
  /// The object of `--json` and `--jsonl`.
  var json: JSONValue { get }
  /// Lines for people, each with its end.
  var text: String { get }
}

/// What a task says of a picture.
protocol PictureResult: PrintableResult {
  /// Draws it onto the picture as it is stored.
  func draw(on canvas: inout Canvas) throws
}
