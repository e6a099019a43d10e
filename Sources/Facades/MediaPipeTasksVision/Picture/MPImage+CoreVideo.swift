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
      self.init(PixelBufferSource(pixelBuffer), orientation: orientation)
    }

    /// The pixel buffer that the picture was made from; `nil` if it was made from something else.
    public var pixelBuffer: CVPixelBuffer? { (source as? PixelBufferSource)?.buffer }

    /// - Throws: `TasksFailure` for pixel buffers of a format that MediaPipe's tasks do not take.
    func requireColors() throws(TasksFailure) {
      var buffer = pixelBuffer
      #if canImport(CoreMedia)
        buffer = buffer ?? (source as? SampleBufferSource)?.frame.buffer
      #endif
      guard let buffer else { return }
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
    }
  }
#endif
