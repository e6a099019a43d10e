import Foundation
import SwiftletCommandLine
import SwiftletBase
import SwiftletImage
import SwiftletImageCodecs
import SwiftletVision

/// Decodes picture files for a task, turned as the command line says.
struct PictureLoader: Sendable {
  let orientation: ImageOrientation
  private let isRotationGiven: Bool

  init(_ arguments: Arguments) {
    orientation = TaskArguments.orientation(arguments)
    isRotationGiven = arguments.string("rotate") != nil
  }

  /// The picture of a file, or the one on standard input for `-`.
  ///
  /// - Parameter warn: takes what is to be said of it.
  /// - Throws: `ToolError` when it cannot be read.
  func load(_ path: String, _ warn: (String) -> Void = StandardStreams.warn) throws -> InputImage {
    if path != "-" { try InputFile.require(path) }
    return try decode(path, warn) {
      path == "-"
        ? try ImageDecoder.decode(
          bytes: InputFile.standardInput(atMost: ImageDecoderLimits.default.maximumFileByteCount, as: "a picture"))
        : try ImageDecoder.decode(path: path)
    }
  }

  /// The picture of a file's bytes.
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
        "\(name.excerpt): EXIF says that the picture is stored as '\(decoded.orientation)'; it is used as stored, --rotate turns it"
      )
    }
    return InputImage(decoded.image, orientation: orientation)
  }
}
