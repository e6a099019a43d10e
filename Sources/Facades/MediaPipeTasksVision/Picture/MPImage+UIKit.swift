#if canImport(UIKit)
  import CoreGraphics
  import SwiftletImage
  import SwiftletVision
  public import UIKit

  extension MPImage {
    /// A picture of a `UIImage`, turned as that says.
    ///
    /// - Throws: `TasksErrorCode.invalidArgumentError` when there is no bitmap behind it, as for one made from a
    ///   `CIImage`.
    #if canImport(ObjectiveC)
      @objc(initWithUIImage:error:)
    #endif
    public convenience init(uiImage: UIImage) throws {
      try self.init(uiImage: uiImage, orientation: uiImage.imageOrientation)
    }

    /// A picture of the bitmap behind a `UIImage`, turned as `orientation` says, whatever the `UIImage` says.
    ///
    /// - Throws: `TasksErrorCode.invalidArgumentError` when there is no bitmap behind it, as for one made from a
    ///   `CIImage`.
    #if canImport(ObjectiveC)
      @objc(initWithUIImage:orientation:error:)
    #endif
    public convenience init(uiImage: UIImage, orientation: UIImage.Orientation) throws {
      guard let source = UIImageSource(uiImage) else {
        throw NSError.tasks(
          TasksFailure(misuse: "Image does not have a valid underlying CGImage. image.CGImage must be non nil."))
      }
      self.init(source, orientation: orientation)
    }

    /// The `UIImage` that the picture was made from; `nil` if it was made from something else.
    public var image: UIImage? { (source as? UIImageSource)?.image }
  }
#endif
