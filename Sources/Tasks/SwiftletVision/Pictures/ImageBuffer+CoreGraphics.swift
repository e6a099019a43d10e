#if canImport(CoreGraphics)
  package import CoreGraphics
  package import SwiftletImage

  extension ImageBuffer {
    /// A bitmap, drawn by Core Graphics, which knows all kinds of them; with straight colours.
    ///
    /// - Throws: `TaskError` when it could not be drawn, and `ImageError` for sizes out of range.
    package init(drawing bitmap: CGImage) throws {
      let (width, height) = (bitmap.width, bitmap.height)
      var bytes = [UInt8](repeating: 0, count: width * height * 4)
      let isDrawn = bytes.withUnsafeMutableBytes { memory in
        guard
          let context = CGContext(
            data: memory.baseAddress, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4,
            space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
        else { return false }
        context.draw(bitmap, in: CGRect(x: 0, y: 0, width: width, height: height))
        return true
      }
      guard isDrawn else {
        throw TaskError(.failed, "a bitmap of \(width) × \(height) pixels could not be drawn")
      }
      self = try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: .rgba8).withStraightColors()
    }
  }
#endif
