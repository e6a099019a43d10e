import Foundation
import SwiftletBase
import SwiftletCommandLine
import SwiftletDrawing
import SwiftletImage
import SwiftletImageCodecs
import SwiftletJSON
import SwiftletVision

/// Decodes image files for a task, turned as the command line says.
struct ImageLoader: Sendable {
  let orientation: ImageOrientation
  private let isRotationGiven: Bool

  init(_ arguments: Arguments) {
    orientation = TaskArguments.orientation(arguments)
    isRotationGiven = arguments.string("rotate") != nil
  }

  /// The image of a file, or the one on standard input for `-`.
  ///
  /// - Parameter warn: takes what is to be said of it.
  /// - Throws: `ToolError` when it cannot be read.
  func load(_ path: String, _ warn: (String) -> Void = StandardStreams.warn) throws -> InputImage {
    if path != "-" { try InputFile.require(path) }
    return try decode(path, warn) {
      path == "-"
        ? try ImageDecoder.decode(
          bytes: InputFile.standardInput(atMost: ImageDecoderLimits.default.maximumFileByteCount, as: "an image"))
        : try ImageDecoder.decode(path: path)
    }
  }

  /// The image of a file's bytes.
  ///
  /// - Parameter name: what it is called in errors.
  /// - Throws: `ToolError` when it cannot be read.
  func load(_ bytes: [UInt8], name: String) throws -> InputImage {
    try decode(name, StandardStreams.warn) { try ImageDecoder.decode(bytes: bytes) }
  }

  private func decode(
    _ name: String, _ warn: (String) -> Void, _ body: () throws -> DecodedImage
  ) throws -> InputImage {
    let decoded: DecodedImage
    do {
      decoded = try body()
    } catch let error as ImageCodecError {
      throw ToolError(file: name, reason: error.message)
    }
    if decoded.orientation != .up, !isRotationGiven {
      warn(
        "\(name.excerpt): EXIF says that the image is stored as '\(decoded.orientation)'; it is used as stored, --rotate turns it"
      )
    }
    return InputImage(decoded.image, orientation: orientation)
  }
}

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

/// What a task says of an image.
protocol ImageResult: PrintableResult {
  /// Draws it onto the image as it is stored.
  func draw(on canvas: inout Canvas) throws
}

/// The file of `--annotate`: an image with the result of a task drawn in.
struct Annotation {
  private enum Format { case png, jpeg }

  private let path: String
  private let format: Format

  /// `nil` without `--annotate`.
  ///
  /// - Throws: `UsageError` for another kind of file, and for several images.
  init?(_ arguments: Arguments, isList: Bool) throws(UsageError) {
    guard let path = try OutputFile.forOnePicture("annotate", arguments, isList: isList) else { return nil }
    switch path.lowercased().split(separator: ".").last {
    case "png": format = .png
    case "jpg", "jpeg": format = .jpeg
    default: throw UsageError("--annotate writes .png or .jpg, got '\(path.excerpt)'")
    }
    self.path = path
  }

  func write(_ image: InputImage, _ result: any ImageResult) throws {
    var canvas = try Canvas(image.buffer)
    try result.draw(on: &canvas)
    let drawn = try canvas.image()
    try OutputFile.write(
      format == .png ? try ImageEncoder.encodePNG(drawn) : try ImageEncoder.encodeJPEG(drawn), to: path)
  }
}
