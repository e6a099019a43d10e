#if canImport(UIKit)
  import CoreGraphics
  import SwiftletImage
  import SwiftletVision
  public import UIKit

  extension MPImage {
    /// A picture of a `UIImage`, turned as that says.
    ///
    /// - Throws: `TasksErrorCode.invalidArgumentError` when there is no bitmap behind it, as for one made from a `CIImage`.
    public convenience init(uiImage: UIImage) throws {
      try self.init(uiImage: uiImage, orientation: uiImage.imageOrientation)
    }

    /// A picture of the bitmap behind a `UIImage`, turned as `orientation` says, whatever the `UIImage` says.
    ///
    /// - Throws: `TasksErrorCode.invalidArgumentError` when there is no bitmap behind it, as for one made from a `CIImage`.
    public convenience init(uiImage: UIImage, orientation: UIImage.Orientation) throws {
      guard let bitmap = uiImage.cgImage else {
        throw NSError.tasks(
          VisionTaskError.misuse(
            "Image does not have a valid underlying CGImage. image.CGImage must be non nil."))
      }
      self.init(UIImageSource(image: uiImage, bitmap: bitmap), orientation: orientation)
    }

    /// The `UIImage` that the picture was made from; `nil` if it was made from something else.
    public var image: UIImage? { (source as? UIImageSource)?.image }
  }

  /// The bitmap behind a `UIImage`.
  struct UIImageSource: PictureSource {
    let image: UIImage
    let bitmap: CGImage

    var type: MPImageSourceType { .image }
    var size: CGSize {
      CGSize(width: image.size.width * image.scale, height: image.size.height * image.scale)
    }

    /// Drawn by Core Graphics, which knows all kinds of bitmaps.
    func pixels() throws -> ImageBuffer {
      let (width, height) = (bitmap.width, bitmap.height)
      var bytes = [UInt8](repeating: 0, count: width * height * 4)
      let isDrawn = bytes.withUnsafeMutableBytes { memory in
        guard
          let context = CGContext(
            data: memory.baseAddress, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4,
            space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
        else { return false }
        context.draw(bitmap, in: CGRect(x: 0, y: 0, width: width, height: height))
        return true
      }
      guard isDrawn else {
        throw VisionTaskError(.internalError, "a bitmap of \(width) × \(height) pixels could not be drawn")
      }
      return try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: .rgba8).withStraightColors()
    }
  }

  extension ImageOrientation {
    /// - Throws: `VisionTaskError` for orientations that a later system may add.
    init(_ orientation: UIImage.Orientation) throws {
      switch orientation {
      case .up: self = .up
      case .upMirrored: self = .upMirrored
      case .down: self = .down
      case .downMirrored: self = .downMirrored
      case .left: self = .left
      case .leftMirrored: self = .leftMirrored
      case .right: self = .right
      case .rightMirrored: self = .rightMirrored
      @unknown default:
        throw VisionTaskError.misuse(
          "UIImage.Orientation \(orientation.rawValue) is not known here; give one of up, right, down, left.")
      }
    }
  }
#endif
