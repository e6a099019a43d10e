import SwiftletJSON
import SwiftletDrawing

/// What a task says of a picture, in the forms that the command line gives it.
protocol PictureResult {
  /// The object of `--json` and `--jsonl`.
  var json: JSONValue { get }
  /// Lines for people, each with its end.
  var text: String { get }

  /// Draws it onto the picture as it is stored.
  func draw(on canvas: inout Canvas) throws
}
