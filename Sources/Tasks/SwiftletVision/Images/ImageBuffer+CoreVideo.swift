package import SwiftletImage

#if canImport(CoreVideo)
  package import CoreVideo

  extension ImageBuffer {
    /// Creates a copy of a pixel buffer, with straight colors.
    ///
    /// - Throws: `TaskError` unless it has 8 bits per channel and is packed BGRA, RGBA or RGB, of one component, or
    ///   bi-planar 4:2:0 of full or video range; and `ImageError` for sizes out of range.
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

    /// How the pixels of a buffer lie.
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
              "a pixel buffer of format \(PixelFormat.name(ofCoreVideoCode: code)) cannot be used; give one of 32BGRA, 32RGBA, 24RGB, OneComponent8, 420YpCbCr8BiPlanarFullRange or 420YpCbCr8BiPlanarVideoRange"
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

    /// What the buffer says of its colors; high definition where it says nothing, or names a matrix that is neither of
    /// the others.
    ///
    /// - Source: Apple's samples that show video (AVBasicVideoOutput): what is not said to be BT.601 is BT.709.
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
    /// Creates a bitmap, drawn by Core Graphics, which knows all kinds of them; with straight colors.
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

extension ImageBuffer {
  /// The image with straight colors, given that its colors are multiplied by their alpha, as Apple's frameworks
  /// keep them.
  ///
  /// - Returns: the image itself when all of it is opaque. Without alpha channel, or where alpha is 0, colors stay
  ///   as they are.
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

/// The size in which a bitmap is drawn for a task.
///
/// Bitmaps of up to ``maximumPixelCount`` are drawn as they are. A larger one would take hundreds of megabytes, and is
/// drawn with that many pixels.
package struct DrawingSize: Sendable, Hashable {
  /// 64 MB of four bytes each.
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
    // Rounded down, so that there are not more pixels.
    width = max(1, Int(across / reduction))
    height = max(1, Int(down / reduction))
  }
}
