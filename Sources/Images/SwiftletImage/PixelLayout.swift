import SwiftletBase

/// The shape of a picture in memory, checked once so that everything after may index without checking.
package struct PixelLayout: Sendable, Hashable {
  /// Pictures larger than this in either direction are refused: coordinates in 1/32 pixel stay far inside 32 bits.
  package static let maximumDimension = 1 << 20

  package let width: Int
  package let height: Int
  package let bytesPerRow: Int
  package let pixelFormat: PixelFormat
  /// From the first byte of the first pixel to the last byte of the last one. Padding after the last row is not needed.
  package let byteCount: Int

  /// - Parameter bytesPerRow: nil for rows that follow each other without padding.
  package init(width: Int, height: Int, bytesPerRow: Int?, pixelFormat: PixelFormat) throws(ImageError) {
    guard (1...Self.maximumDimension).contains(width), (1...Self.maximumDimension).contains(height) else {
      throw ImageError(
        code: .invalidSize,
        message: """
          a picture of \(width) × \(height) pixels cannot be described; \
          width and height must each be in 1…\(Self.maximumDimension)
          """)
    }
    let rowBytes = width * pixelFormat.bytesPerPixel
    let stride = bytesPerRow ?? rowBytes
    guard stride >= rowBytes else {
      throw ImageError(
        code: .invalidStride,
        message: """
          bytesPerRow is \(stride), but a row of \(width) pixels in \(pixelFormat) \
          (\(pixelFormat.bytesPerPixel) bytes each) takes at least \(rowBytes); pass the distance in bytes from one \
          row to the next
          """)
    }
    let (before, overflow) = stride.multipliedReportingOverflow(by: height - 1)
    let (total, overflowAtEnd) = before.addingReportingOverflow(rowBytes)
    guard !overflow, !overflowAtEnd else {
      throw ImageError(
        code: .invalidSize,
        message: "\(height) rows of \(stride) bytes are more than this machine can address")
    }
    self.width = width
    self.height = height
    self.bytesPerRow = stride
    self.pixelFormat = pixelFormat
    byteCount = total
  }

  /// The layout of a picture without padding that is about to be made.
  ///
  /// - Throws: ``ImageError`` when a size is out of range or there is no memory for it.
  init(fresh width: Int, _ height: Int, _ pixelFormat: PixelFormat) throws(ImageError) {
    try self.init(width: width, height: height, bytesPerRow: nil, pixelFormat: pixelFormat)
    guard AvailableMemory.has(byteCount) else {
      throw ImageError(
        code: .invalidSize,
        message:
          "there is no memory for the \(byteCount) bytes of a picture of \(width) × \(height) pixels; use a smaller size"
      )
    }
  }

  package func requireBytes(_ available: Int) throws(ImageError) {
    guard available >= byteCount else {
      throw ImageError(
        code: .tooFewBytes,
        message: """
          \(width) × \(height) pixels of \(pixelFormat) with \(bytesPerRow) bytes per row need \(byteCount) bytes, \
          but \(available) were given; check width, height, bytesPerRow and the pixel format
          """)
    }
  }
}
