package import SwiftletImage

#if canImport(CoreVideo)
  package import CoreVideo

  extension ImageBuffer {
    /// Creates a copy of a pixel buffer, with straight colors (not premultiplied).
    ///
    /// - Throws: `TaskError` unless the buffer has 8 bits per channel and is packed BGRA, RGBA, or RGB,
    ///   single-component, or bi-planar 4:2:0 with full or video range; and `ImageError` for sizes out of range.
    package init(copying buffer: CVPixelBuffer) throws {
      let contents = try Contents(CVPixelBufferGetPixelFormatType(buffer))
      guard CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess else {
        throw TaskError(.failed, "the memory of the pixel buffer could not be locked")
      }
      defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
      let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
      switch contents {
      case .planes(let range):
        self = try ImageBuffer(
          lumaPlane: try Self.plane(0, of: buffer), lumaBytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(buffer, 0),
          chromaPlane: try Self.plane(1, of: buffer), chromaBytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(buffer, 1),
          width: width, height: height, encoding: YUVEncoding(range: range, matrix: Self.matrix(of: buffer)))
      case .packed(let format):
        guard let first = CVPixelBufferGetBaseAddress(buffer) else { throw Self.withoutMemory }
        let bytesPerRow = CVPixelBufferGetBytesPerRow(buffer)
        self = try ImageBuffer(
          copying: UnsafeRawBufferPointer(start: first, count: bytesPerRow * height), width: width, height: height,
          bytesPerRow: bytesPerRow, pixelFormat: format
        ).withStraightColors()
      }
    }

    /// The layout of the pixels in a buffer.
    private enum Contents {
      case planes(YUVEncoding.Range)
      case packed(PixelFormat)

      init(_ code: OSType) throws(TaskError) {
        switch code {
        case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: self = .planes(.full)
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: self = .planes(.video)
        default:
          guard let format = try? PixelFormat(coreVideoCode: code) else {
            throw TaskError(
              .invalidImage,
              "a pixel buffer of format \(PixelFormat.name(ofCoreVideoCode: code)) is not supported; use 32BGRA, 32RGBA, 24RGB, OneComponent8, 420YpCbCr8BiPlanarFullRange or 420YpCbCr8BiPlanarVideoRange"
            )
          }
          self = .packed(format)
        }
      }
    }

    private static var withoutMemory: TaskError { TaskError(.failed, "the pixel buffer has no memory") }

    private static func plane(_ index: Int, of buffer: CVPixelBuffer) throws(TaskError) -> UnsafeRawBufferPointer {
      guard let first = CVPixelBufferGetBaseAddressOfPlane(buffer, index) else { throw withoutMemory }
      let byteCount = CVPixelBufferGetBytesPerRowOfPlane(buffer, index) * CVPixelBufferGetHeightOfPlane(buffer, index)
      return UnsafeRawBufferPointer(start: first, count: byteCount)
    }

    /// Returns the color matrix of a buffer; BT.709 if it names none, or one that isn't supported.
    ///
    /// - Source: Apple's sample code for video (AVBasicVideoOutput): everything that isn't BT.601 is BT.709.
    private static func matrix(of buffer: CVPixelBuffer) -> YUVEncoding.Matrix {
      let named = CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil) as? String
      if named == (kCVImageBufferYCbCrMatrix_ITU_R_601_4 as String) { return .bt601 }
      return named == (kCVImageBufferYCbCrMatrix_ITU_R_2020 as String) ? .bt2020 : .bt709
    }
  }
#endif

#if canImport(CoreGraphics)
  package import CoreGraphics

  extension ImageBuffer {
    /// Creates an image by drawing a bitmap of any kind with Core Graphics; the colors are straight, not multiplied by
    /// alpha.
    ///
    /// - Throws: `TaskError` if the bitmap could not be drawn, and `ImageError` for sizes out of range.
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

extension ImageBuffer {
  /// Returns the image with straight colors, for an image whose colors are premultiplied, as Apple's frameworks
  /// store them.
  ///
  /// - Returns: The image itself if it is fully opaque. Without an alpha channel, or where alpha is 0, colors don't
  ///   change.
  package func withStraightColors() throws -> ImageBuffer {
    guard pixelFormat.hasAlpha else { return self }
    var bytes = packedBytes()
    guard let translucent = stride(from: 3, to: bytes.count, by: 4).first(where: { bytes[$0] < 255 }) else {
      return self
    }
    for index in stride(from: translucent, to: bytes.count, by: 4) where (1..<255).contains(bytes[index]) {
      let alpha = Int(bytes[index])
      for color in index - 3..<index {
        bytes[color] = UInt8(min((Int(bytes[color]) * 255 + alpha / 2) / alpha, 255))
      }
    }
    return try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: pixelFormat)
  }
}

/// The size at which a bitmap is drawn for a task.
///
/// Bitmaps of up to ``maximumPixelCount`` pixels are drawn at full size. A larger bitmap would take hundreds of
/// megabytes, so it is reduced to that number of pixels.
package struct DrawingSize: Sendable, Hashable {
  /// The maximum number of pixels: 64 MB with four bytes each.
  package static let maximumPixelCount = 1 << 24

  package let width: Int
  package let height: Int

  /// Creates the size for a bitmap of a width and height in pixels.
  package init(bitmapWidth: Int, bitmapHeight: Int) {
    let (across, down) = (Double(bitmapWidth), Double(bitmapHeight))
    let reduction = (across * down / Double(Self.maximumPixelCount)).squareRoot()
    guard reduction > 1 else {
      (width, height) = (bitmapWidth, bitmapHeight)
      return
    }
    // Round down, so that the limit is not exceeded.
    width = max(1, Int(across / reduction))
    height = max(1, Int(down / reduction))
  }
}
