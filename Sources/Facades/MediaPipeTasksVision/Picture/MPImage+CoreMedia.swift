#if canImport(CoreMedia)
  public import CoreMedia
  import CoreVideo
  import Foundation
  import SwiftletImage
  import SwiftletVision

  extension MPImage {
    /// A picture of a sample buffer that stands upright.
    ///
    /// - Throws: `TasksErrorCode.invalidArgumentError` when the sample buffer is not valid or holds no picture.
    public convenience init(sampleBuffer: CMSampleBuffer) throws {
      try self.init(sampleBuffer: sampleBuffer, orientation: .up)
    }

    /// A picture of a sample buffer, turned as `orientation` says.
    ///
    /// Its pixels are read when a task is given the picture, as those of a `CVPixelBuffer`.
    ///
    /// - Throws: `TasksErrorCode.invalidArgumentError` when the sample buffer is not valid or holds no picture.
    public convenience init(sampleBuffer: CMSampleBuffer, orientation: MPImageOrientation) throws {
      guard CMSampleBufferIsValid(sampleBuffer) else {
        throw NSError.tasks(
          TasksFailure(
            misuse: "Sample buffer is not valid. Invoking CMSampleBufferIsValid(sampleBuffer) must return true."))
      }
      guard let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else {
        throw NSError.tasks(
          TasksFailure(misuse: "Sample buffer holds no picture. CMSampleBufferGetImageBuffer(sampleBuffer) is nil."))
      }
      let source = SampleBufferSource(buffer: sampleBuffer, frame: PixelBufferSource(buffer: pixels))
      self.init(source, orientation: orientation)
    }

    /// The sample buffer that the picture was made from; `nil` if it was made from something else.
    public var sampleBuffer: CMSampleBuffer? { (source as? SampleBufferSource)?.buffer }
  }

  /// The pixel buffer in a sample buffer of Core Media.
  struct SampleBufferSource: PictureSource {
    let buffer: CMSampleBuffer
    let frame: PixelBufferSource

    var type: MPImageSourceType { .sampleBuffer }
    var size: CGSize { frame.size }

    func pixels() throws -> ImageBuffer { try frame.pixels() }
  }
#endif
