#if canImport(CoreGraphics)
  package import CoreGraphics
  package import SwiftletImage

  extension ImageBuffer {
    /// A bitmap, drawn by Core Graphics, which knows all kinds of them; with straight colours.
    ///
    /// - Throws: `TaskError` when it could not be drawn, and `ImageError` for sizes out of range.
    package init(drawing bitmap: CGImage, in size: DrawingSize) throws {
      let (width, height) = (size.width, size.height)
      self = try ImageBuffer(width: width, height: height, pixelFormat: .rgba8) { memory in
        guard
          let context = CGContext(
            data: memory.baseAddress, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4,
            space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
        else { throw TaskError(.failed, "a bitmap of \(width) × \(height) pixels could not be drawn") }
        if width < bitmap.width || height < bitmap.height { context.interpolationQuality = .high }
        context.draw(bitmap, in: CGRect(x: 0, y: 0, width: width, height: height))
      }.withStraightColors()
    }
  }
#endif
