import SwiftletDrawing
import SwiftletImage

extension Canvas {
  /// Creates a canvas of one color.
  init(width: Int, height: Int, gray: UInt8 = 0) throws {
    try self.init(
      ImageBuffer(
        bytes: [UInt8](repeating: gray, count: width * height), width: width, height: height, pixelFormat: .gray8))
  }

  /// Returns the rows of the image, with a character per pixel.
  func rows(_ character: (Color) -> Character) throws -> [String] {
    let bytes = try image().packedBytes()
    return (0..<height).map { row in
      String(
        (0..<width).map { column in
          let offset = (row * width + column) * 3
          return character(Color(red: bytes[offset], green: bytes[offset + 1], blue: bytes[offset + 2]))
        })
    }
  }

  /// Returns the rows with white pixels marked.
  func whiteRows() throws -> [String] { try rows { $0 == .white ? "#" : "." } }
}
