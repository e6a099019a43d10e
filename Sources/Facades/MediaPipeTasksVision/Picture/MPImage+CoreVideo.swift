#if canImport(CoreVideo)
  public import CoreVideo
  import Foundation
  import SwiftletImage
  import SwiftletVision

  extension MPImage {
    /// A picture of a pixel buffer that stands upright.
    public convenience init(pixelBuffer: CVPixelBuffer) throws {
      try self.init(pixelBuffer: pixelBuffer, orientation: .up)
    }

    /// A picture of a pixel buffer, turned as `orientation` says.
    ///
    /// Its pixels are read when a task is given the picture, which throws `TasksErrorCode.invalidArgumentError` unless
    /// they are of `kCVPixelFormatType_32BGRA`.
    public convenience init(pixelBuffer: CVPixelBuffer, orientation: MPImageOrientation) throws {
      self.init(PixelBufferSource(buffer: pixelBuffer), orientation: orientation)
    }

    /// The pixel buffer that the picture was made from; `nil` if it was made from something else.
    public var pixelBuffer: CVPixelBuffer? { (source as? PixelBufferSource)?.buffer }
  }

  /// A pixel buffer of Core Video.
  struct PixelBufferSource: PictureSource {
    let buffer: CVPixelBuffer

    var type: MPImageSourceType { .pixelBuffer }
    var size: CGSize { CGSize(width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer)) }

    func pixels() throws -> ImageBuffer {
      switch CVPixelBufferGetPixelFormatType(buffer) {
      case kCVPixelFormatType_32BGRA: break
      case kCVPixelFormatType_OneComponent32Float:
        throw TasksFailure(
          misuse:
            "A pixel buffer of kCVPixelFormatType_OneComponent32Float has no colours, which the task's model needs. Give one of kCVPixelFormatType_32BGRA."
        )
      default:
        throw TasksFailure(
          misuse:
            "Unsupported pixel format for CVPixelBuffer. Expected kCVPixelFormatType_32BGRA or kCVPixelFormatType_OneComponent32Float"
        )
      }
      return try ImageBuffer(copying: buffer)
    }
  }
#endif
