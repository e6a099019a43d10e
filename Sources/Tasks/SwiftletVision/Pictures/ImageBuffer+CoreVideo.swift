#if canImport(CoreVideo)
  package import CoreVideo
  package import SwiftletImage

  extension ImageBuffer {
    /// A copy of a pixel buffer, with straight colours.
    ///
    /// - Throws: `TaskError` unless it is of 32-bit BGRA or 8-bit bi-planar 4:2:0, full or video range, and
    ///   `ImageError` for sizes out of range.
    package init(copying buffer: CVPixelBuffer) throws {
      let format = CVPixelBufferGetPixelFormatType(buffer)
      let range: YUVEncoding.Range?
      switch format {
      case kCVPixelFormatType_32BGRA: range = nil
      case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: range = .full
      case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: range = .video
      default:
        throw TaskError(
          .invalidImage,
          "a pixel buffer of format \(format) cannot be used; give one of 32BGRA, 420YpCbCr8BiPlanarFullRange or 420YpCbCr8BiPlanarVideoRange"
        )
      }
      guard CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess else {
        throw TaskError(.failed, "the memory of the pixel buffer could not be locked")
      }
      defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
      let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
      if let range {
        self = try ImageBuffer(
          lumaPlane: try Self.plane(0, of: buffer), lumaBytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(buffer, 0),
          chromaPlane: try Self.plane(1, of: buffer), chromaBytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(buffer, 1),
          width: width,
          height: height, encoding: YUVEncoding(range: range, matrix: Self.matrix(of: buffer)))
        return
      }
      guard let first = CVPixelBufferGetBaseAddress(buffer) else {
        throw TaskError(.failed, "the pixel buffer has no memory")
      }
      let bytesPerRow = CVPixelBufferGetBytesPerRow(buffer)
      self = try ImageBuffer(
        copying: UnsafeRawBufferPointer(start: first, count: bytesPerRow * height), width: width, height: height,
        bytesPerRow: bytesPerRow, pixelFormat: .bgra8
      ).withStraightColors()
    }

    private static func plane(_ index: Int, of buffer: CVPixelBuffer) throws -> UnsafeRawBufferPointer {
      guard let first = CVPixelBufferGetBaseAddressOfPlane(buffer, index) else {
        throw TaskError(.failed, "the pixel buffer has no memory")
      }
      let byteCount = CVPixelBufferGetBytesPerRowOfPlane(buffer, index) * CVPixelBufferGetHeightOfPlane(buffer, index)
      return UnsafeRawBufferPointer(start: first, count: byteCount)
    }

    /// What the buffer says of its colours; standard definition where it says nothing.
    private static func matrix(of buffer: CVPixelBuffer) -> YUVEncoding.Matrix {
      let named = CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil) as? String
      return named == (kCVImageBufferYCbCrMatrix_ITU_R_709_2 as String) ? .bt709 : .bt601
    }
  }
#endif
