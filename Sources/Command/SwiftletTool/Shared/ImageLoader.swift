import Foundation
import SwiftletBase
import SwiftletCommandLine
import SwiftletDrawing
import SwiftletImage
import SwiftletImageCodecs
import SwiftletJSON
import SwiftletVision

/// Decodes image files for a task, rotated as the command line specifies.
struct ImageLoader: Sendable {
  let orientation: ImageOrientation
  private let isRotationGiven: Bool

  init(_ arguments: Arguments) {
    orientation = TaskArguments.orientation(arguments)
    isRotationGiven = arguments.string("rotate") != nil
  }

  /// Returns the image of a file, or the image on standard input for `-`.
  ///
  /// - Parameter warn: A closure that receives warnings.
  /// - Throws: `ToolError` if it cannot be read.
  func load(_ path: String, _ warn: (String) -> Void = StandardStreams.warn) throws -> InputImage {
    if path != "-" { try InputFile.require(path) }
    return try decode(path, warn) {
      path == "-"
        ? try ImageDecoder.decode(
          bytes: InputFile.standardInput(atMost: ImageDecoderLimits.default.maximumFileByteCount, as: "an image"))
        : try ImageDecoder.decode(path: path)
    }
  }

  /// Returns the image of a file's bytes.
  ///
  /// - Parameter name: The name of the image in errors.
  /// - Throws: `ToolError` if it cannot be decoded.
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
        "\(name.excerpt): EXIF says that the image is stored as '\(decoded.orientation)'; it is used as stored; rotate it with --rotate"
      )
    }
    return InputImage(decoded.image, orientation: orientation)
  }
}

/// The result of a task on an operand, in the forms that the command line prints.
protocol PrintableResult {
  /// The `--json` and `--jsonl` object.
  var json: JSONValue { get }
  /// The text output, with a line end after each line.
  var text: String { get }

  /// Writes the result in a form, in one or several pieces, so that long results need not be held in memory.
  ///
  /// - Throws: Errors of `output`, and the reason why the result could not be completed.
  func write(_ form: OutputForm, to output: (String) throws -> Void) throws
}

extension PrintableResult {
  func write(_ form: OutputForm, to output: (String) throws -> Void) throws {
    try output(form == .text ? text : json.text)
  }
}

/// The result of a task on an image.
protocol ImageResult: PrintableResult {
  /// Draws the result onto the image in stored orientation.
  func draw(on canvas: inout Canvas) throws
}

/// The file of `--annotate`: an image with the result of a task.
struct Annotation {
  private enum Format { case png, jpeg }

  private let path: String
  private let format: Format

  /// Creates the output, or `nil` without `--annotate`.
  ///
  /// - Throws: `UsageError` for another file type, and for several images.
  init?(_ arguments: Arguments, isList: Bool) throws(UsageError) {
    guard let path = try OutputFile.forOneImage("annotate", arguments, isList: isList) else { return nil }
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
