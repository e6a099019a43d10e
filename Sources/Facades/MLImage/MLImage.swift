@_spi(Facades) package import SwiftletVision

#if canImport(UIKit)
  /// The orientation of the stored pixels of ``MLImage``.
  public typealias MLImageOrientation = UIImage.Orientation
#else
  /// The orientation of the stored pixels of ``MLImage``; `UIImage.Orientation` where there is UIKit, with the same
  /// names.
  public typealias MLImageOrientation = ImageOrientation
#endif

/// An image for on-device machine learning: what its pixels are taken from, and how they have to be turned to stand
/// upright.
///
/// Where there is UIKit, Core Video or Core Media, images are made from their types as with Google's library; the
/// initializers are `nil` for what holds no pixels. On every platform they are made from an `ImageBuffer`:
///
/// ```swift
/// let image = MLImage(imageBuffer: try ImageBuffer(bytes: rgb, width: 640, height: 480, pixelFormat: .rgb8))
/// ```
open class MLImage: NSObject {
  private let source: any ImageSource
  /// The orientation of the stored pixels: what a `UIImage` says of itself, else `.up`.
  open var orientation: MLImageOrientation

  // MARK: Initializers. Here, not in extensions: classes that are derived from this one inherit them.

  /// Creates an image of pixels in memory: an addition to Google's interface.
  public init(imageBuffer: ImageBuffer, orientation: MLImageOrientation = .up) {
    source = ImageBufferSource(imageBuffer)
    self.orientation = orientation
  }

  #if canImport(UIKit)
    /// Creates an image of a `UIImage`, turned as that says; `nil` without a bitmap behind it, as for one made from a
    /// `CIImage`.
    public init?(image: UIImage) {
      guard let source = UIImageSource(image) else { return nil }
      self.source = source
      orientation = image.imageOrientation
    }
  #endif

  #if canImport(CoreVideo)
    /// Creates an image of a pixel buffer, which is held, and read when a task is given the image.
    ///
    /// It is failable as Google's is, and never `nil`.
    public init?(pixelBuffer: CVPixelBuffer) {
      source = PixelBufferSource(pixelBuffer)
      orientation = .up
    }
  #endif

  #if canImport(CoreMedia)
    /// Creates an image of a sample buffer, which is held, and read when a task is given the image; `nil` when the
    /// sample buffer is not valid or holds no pixels, as compressed ones do not.
    public init?(sampleBuffer: CMSampleBuffer) {
      guard let source = try? SampleBufferSource(sampleBuffer) else { return nil }
      self.source = source
      orientation = .up
    }
  #endif

  // MARK: What it was made from

  /// Width in pixels: of a `UIImage` as it is displayed, of everything else as it is stored.
  public var width: CGFloat { source.size.width }
  /// Height in pixels: of a `UIImage` as it is displayed, of everything else as it is stored.
  public var height: CGFloat { source.size.height }
  /// The source of the image.
  public var imageSourceType: MLImageSourceType { MLImageSourceType(rawValue: source.kind.rawValue) }
  /// The pixels in memory that the image was made from; `nil` if it was made from something else.
  public var imageBuffer: ImageBuffer? { (source as? ImageBufferSource)?.buffer }
  #if canImport(UIKit)
    /// The `UIImage` that the image was made from; `nil` if it was made from something else.
    public var image: UIImage? { (source as? UIImageSource)?.image }
  #endif
  #if canImport(CoreVideo)
    /// The pixel buffer that the image was made from; `nil` if it was made from something else.
    public var pixelBuffer: CVPixelBuffer? { (source as? PixelBufferSource)?.buffer }
  #endif
  #if canImport(CoreMedia)
    /// The sample buffer that the image was made from; `nil` if it was made from something else.
    public var sampleBuffer: CMSampleBuffer? { (source as? SampleBufferSource)?.buffer }
  #endif

  /// The image as it is now, to be read when a task needs its pixels.
  ///
  /// - Throws: `TaskError` for orientations that a later system may add.
  package func snapshot() throws -> ImageSnapshot { try ImageSnapshot(source, orientation: orientation) }
}

/// The source of an ``MLImage``.
public struct MLImageSourceType: RawRepresentable, Hashable, Sendable {
  /// The number of the type in Google's library.
  public let rawValue: Int

  /// Creates a type of this number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A `UIImage`.
  public static let image = MLImageSourceType(rawValue: 0)
  /// A `CVPixelBuffer`.
  public static let pixelBuffer = MLImageSourceType(rawValue: 1)
  /// A `CMSampleBuffer`.
  public static let sampleBuffer = MLImageSourceType(rawValue: 2)
  /// Pixels in memory: an addition to Google's kinds.
  public static let imageBuffer = MLImageSourceType(rawValue: 3)
}
