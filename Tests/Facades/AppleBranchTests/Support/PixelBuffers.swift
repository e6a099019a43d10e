import CoreVideo

/// Pixel buffers as cameras fill them: rows are longer than their pixels, and what lies behind is not to be read.
enum PixelBuffers {
  static let padding: UInt8 = 0xEE

  /// - Parameter pixels: row after row, in the order of the format's channels.
  static func packed(
    _ format: OSType, _ pixels: [UInt8], width: Int, height: Int, channels: Int, padding: Int = 12
  ) -> CVPixelBuffer {
    let plane = padded(pixels, rowBytes: width * channels, height: height, padding: padding)
    return CVPixelBuffer(stub: format, width: width, height: height, planes: [plane])
  }

  /// An image of 4:2:0 whose blocks of 2 × 2 pixels have one color each.
  ///
  /// - Parameters:
  ///   - colors: of the blocks, row after row; those at the right and at the bottom are cut where a size is odd.
  ///   - matrix: what the buffer says of its colors.
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
