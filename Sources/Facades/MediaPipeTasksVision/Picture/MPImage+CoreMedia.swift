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
      let source: SampleBufferSource
      do {
        source = try SampleBufferSource(sampleBuffer)
      } catch {
        let text =
          CMSampleBufferIsValid(sampleBuffer)
          ? "Sample buffer holds no picture. CMSampleBufferGetImageBuffer(sampleBuffer) is nil."
          : "Sample buffer is not valid. Invoking CMSampleBufferIsValid(sampleBuffer) must return true."
        throw NSError.tasks(TasksFailure(misuse: text))
      }
      self.init(source, orientation: orientation)
    }

    /// The sample buffer that the picture was made from; `nil` if it was made from something else.
    public var sampleBuffer: CMSampleBuffer? { (source as? SampleBufferSource)?.buffer }
  }
#endif
