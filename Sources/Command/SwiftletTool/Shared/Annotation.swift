import SwiftletCommandLine
import SwiftletBase
import SwiftletDrawing
import SwiftletImage
import SwiftletImageCodecs
import SwiftletVision

/// The file of `--annotate`: a picture with the result of a task drawn in.
struct Annotation {
  private enum Format { case png, jpeg }

  private let path: String
  private let format: Format

  /// `nil` without `--annotate`.
  ///
  /// - Throws: `UsageError` for another kind of file, and for several pictures.
  init?(_ arguments: Arguments, isList: Bool) throws(UsageError) {
    guard let path = try OutputFile.forOnePicture("annotate", arguments, isList: isList) else { return nil }
    switch path.lowercased().split(separator: ".").last {
    case "png": format = .png
    case "jpg", "jpeg": format = .jpeg
    default: throw UsageError("--annotate writes .png or .jpg, got '\(path.excerpt)'")
    }
    self.path = path
  }

  func write(_ image: InputImage, _ result: any PictureResult) throws {
    var canvas = try Canvas(image.buffer)
    try result.draw(on: &canvas)
    let drawn = try canvas.image()
    try OutputFile.write(
      format == .png ? try ImageEncoder.encodePNG(drawn) : try ImageEncoder.encodeJPEG(drawn), to: path)
  }
}
