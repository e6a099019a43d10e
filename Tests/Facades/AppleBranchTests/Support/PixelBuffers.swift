import CoreVideo

/// Pixel buffers like those of cameras: rows have padding after their pixels, which must not be read.
enum PixelBuffers {
  static let padding: UInt8 = 0xEE

  /// - Parameter pixels: The pixels row by row, in the channel order of the format.
  static func packed(
    _ format: OSType, _ pixels: [UInt8], width: Int, height: Int, channels: Int, padding: Int = 12
  ) -> CVPixelBuffer {
    let plane = padded(pixels, rowBytes: width * channels, height: height, padding: padding)
    return CVPixelBuffer(stub: format, width: width, height: height, planes: [plane])
  }

  /// Returns a 4:2:0 image whose blocks of 2 × 2 pixels have one color each.
  ///
  /// - Parameters:
  ///   - colors: The colors of the blocks, row by row. Blocks at the right and at the bottom are cropped if a size is
  ///     odd.
  ///   - matrix: The buffer's color matrix.
  static func planar(
    _ colors: [BroadcastColor], width: Int, height: Int, isFull: Bool, matrix: String?, padding: Int = 12
  ) -> CVPixelBuffer {
    let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
    var luma: [UInt8] = []
    for y in 0..<height { for x in 0..<width { luma.append(colors[y / 2 * columns + x / 2].y) } }
    let chroma = colors.flatMap { [$0.cb, $0.cr] }
    let format =
      isFull ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    let buffer = CVPixelBuffer(
      stub: format, width: width, height: height,
      planes: [
        padded(luma, rowBytes: width, height: height, padding: padding),
        padded(chroma, rowBytes: 2 * columns, height: rows, padding: padding),
      ])
    if let matrix { buffer.stubAttachments[kCVImageBufferYCbCrMatrixKey] = matrix }
    return buffer
  }

  private static func padded(_ bytes: [UInt8], rowBytes: Int, height: Int, padding: Int) -> StubPlane {
    var rows: [UInt8] = []
    for row in 0..<height {
      rows += bytes[row * rowBytes..<(row + 1) * rowBytes]
      rows += [UInt8](repeating: Self.padding, count: padding)
    }
    return StubPlane(rows, bytesPerRow: rowBytes + padding, height: height)
  }
}
