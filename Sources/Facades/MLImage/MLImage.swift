@_spi(Facades) package import SwiftletVision

#if canImport(UIKit)
  /// The orientation of the stored pixels of ``MLImage``.
  public typealias MLImageOrientation = UIImage.Orientation
#else
  /// The orientation of the stored pixels of ``MLImage``. On platforms with UIKit, it is `UIImage.Orientation`, which
  /// has the same names.
  public typealias MLImageOrientation = ImageOrientation
#endif

/// An image for on-device machine learning: the source of its pixels, and their orientation.
///
/// With UIKit, Core Video, or Core Media, images can be created from their types, as in Google's library. These
/// initializers return `nil` for objects without pixels. On every platform, images can be created from an
/// `ImageBuffer`:
///
///
/// ```swift
/// let image = MLImage(imageBuffer: try ImageBuffer(bytes: rgb, width: 640, height: 480, pixelFormat: .rgb8))
/// ```
open class MLImage: NSObject {
  private let source: any ImageSource
  /// The orientation of the stored pixels: that of a `UIImage`, or `.up` for other sources.
  open var orientation: MLImageOrientation

  // MARK: Initializers. They are not in extensions, so that subclasses inherit them.

  /// Creates an image from pixels in memory. This is an addition to Google's API.
  public init(imageBuffer: ImageBuffer, orientation: MLImageOrientation = .up) {
    source = ImageBufferSource(imageBuffer)
    self.orientation = orientation
  }

  #if canImport(UIKit)
    /// Creates an image from a `UIImage`, with its orientation; `nil` if it has no bitmap, such as one created from a
    /// `CIImage`.
    public init?(image: UIImage) {
      guard let source = UIImageSource(image) else { return nil }
      self.source = source
      orientation = image.imageOrientation
    }
  #endif

  #if canImport(CoreVideo)
    /// Creates an image from a pixel buffer, which is retained, and read when a task processes the image.
    ///
    /// Like Google's, the initializer is failable, but it never returns `nil`.
    public init?(pixelBuffer: CVPixelBuffer) {
      source = PixelBufferSource(pixelBuffer)
      orientation = .up
    }
  #endif

  #if canImport(CoreMedia)
    /// Creates an image from a sample buffer, which is retained, and read when a task processes the image; `nil` if the
    /// sample buffer is not valid or has no pixels, such as a compressed one.
    public init?(sampleBuffer: CMSampleBuffer) {
      guard let source = try? SampleBufferSource(sampleBuffer) else { return nil }
      self.source = source
      orientation = .up
    }
  #endif

  // MARK: Source

  /// The width in pixels: as displayed for a `UIImage`, as stored for everything else.
  public var width: CGFloat { source.size.width }
  /// The height in pixels: as displayed for a `UIImage`, as stored for everything else.
  public var height: CGFloat { source.size.height }
  /// The type of the image's source.
  public var imageSourceType: MLImageSourceType { MLImageSourceType(rawValue: source.kind.rawValue) }
  /// The pixels in memory that the image was created from; `nil` for other sources.
  public var imageBuffer: ImageBuffer? { (source as? ImageBufferSource)?.buffer }
  #if canImport(UIKit)
    /// The `UIImage` that the image was created from; `nil` for other sources.
    public var image: UIImage? { (source as? UIImageSource)?.image }
  #endif
  #if canImport(CoreVideo)
    /// The pixel buffer that the image was created from; `nil` for other sources.
    public var pixelBuffer: CVPixelBuffer? { (source as? PixelBufferSource)?.buffer }
  #endif
  #if canImport(CoreMedia)
    /// The sample buffer that the image was created from; `nil` for other sources.
    public var sampleBuffer: CMSampleBuffer? { (source as? SampleBufferSource)?.buffer }
  #endif

  /// Returns a snapshot of the image, whose pixels are read when a task needs them.
  ///
  /// - Throws: `TaskError` for orientations that a later system may add.
  package func snapshot() throws -> ImageSnapshot { try ImageSnapshot(source, orientation: orientation) }
}

/// The type of an image's source.
public struct MLImageSourceType: RawRepresentable, Hashable, Sendable {
  /// The raw value of the type in Google's library.
  public let rawValue: Int

  /// Creates a type with a raw value.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A `UIImage`.
  public static let image = MLImageSourceType(rawValue: 0)
  /// A `CVPixelBuffer`.
  public static let pixelBuffer = MLImageSourceType(rawValue: 1)
  /// A `CMSampleBuffer`.
  public static let sampleBuffer = MLImageSourceType(rawValue: 2)
  /// Pixels in memory. This is an addition to Google's types.
  public static let imageBuffer = MLImageSourceType(rawValue: 3)
}
