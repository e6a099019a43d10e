#if canImport(CoreMedia)
  public import CoreMedia
  import Foundation
  import SwiftletImage
  import SwiftletVision

  extension VisionImage {
    /// A picture of a sample buffer that holds pixels: 32-bit BGRA, or 8-bit bi-planar 4:2:0 of full or video range.
    ///
    /// The pixels are read when a detector is given the picture; until then the buffer is held, so keep few of these.
    /// Other formats, and compressed samples, throw then.
    public convenience init(buffer: CMSampleBuffer) {
      self.init {
        guard CMSampleBufferIsValid(buffer) else {
          throw TaskError(.invalidImage, "the sample buffer is not valid")
        }
        guard let pixels = CMSampleBufferGetImageBuffer(buffer) else {
          throw TaskError(
            .invalidImage, "the sample buffer holds no pixels; compressed samples must be decoded first")
        }
        return try ImageBuffer(copying: pixels)
      }
      let time = CMSampleBufferGetPresentationTimeStamp(buffer)
      if time.isNumeric { timestamp = time.seconds }
    }
  }
#endif
