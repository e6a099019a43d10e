#if canImport(UIKit)
  import SwiftletImage
  import SwiftletVision
  public import UIKit

  extension VisionImage {
    /// A picture of a `UIImage` with a bitmap behind it; set ``VisionImage/orientation`` from its `imageOrientation`.
    ///
    /// The pixels are read when a detector is given the picture, which throws for an image without a bitmap.
    public convenience init(image: UIImage) {
      self.init {
        guard let bitmap = image.cgImage else {
          throw TaskError(
            .invalidImage, "the UIImage has no bitmap: its cgImage is nil, as for one made from a CIImage")
        }
        return try ImageBuffer(drawing: bitmap)
      }
    }
  }
#endif
