@_spi(Facades) public import SwiftletImage

#if canImport(CoreMedia)
  public import CoreMedia
#endif
#if canImport(CoreVideo)
  public import CoreVideo
#endif
#if canImport(UIKit)
  public import UIKit
#endif

/// The type that a facade's image was created from. The raw values are those of Google's libraries.
@_spi(Facades) public enum ImageSourceKind: Int, Sendable {
  /// A `UIImage`.
  case image = 0
  /// A `CVPixelBuffer`.
  case pixelBuffer = 1
  /// A `CMSampleBuffer`.
  case sampleBuffer = 2
  /// An ``ImageBuffer``, which Google's libraries do not have.
  case memory = 3
}

/// The source of a facade's image. Its pixels are read when a task needs them, on any thread.
@_spi(Facades) public protocol ImageSource: Sendable {
  /// The type that the image was created from.
  var kind: ImageSourceKind { get }
  /// The size in pixels: of a `UIImage` as it is displayed, of all other sources as it is stored.
  var size: (width: Double, height: Double) { get }

  /// Returns the image as it is stored, not rotated, with straight alpha.
  ///
  /// - Throws: `TaskError` or `ImageError` if tasks do not support the pixels.
  func inputImage() throws -> InputImage
}

/// An image buffer as the source of a facade's image.
@_spi(Facades) public struct ImageBufferSource: ImageSource {
  /// The pixels.
  public let buffer: ImageBuffer

  /// Creates a source of the pixels in `buffer`.
  public init(_ buffer: ImageBuffer) { self.buffer = buffer }

  /// `memory`.
  public var kind: ImageSourceKind { .memory }
  /// The size in pixels, as the image is stored.
  public var size: (width: Double, height: Double) { (Double(buffer.width), Double(buffer.height)) }

  /// Returns the buffer as an image.
  public func inputImage() -> InputImage { InputImage(buffer) }
}

// The sources below are unchecked because Apple's frameworks do not declare all of these types `Sendable`. The sources
// only read them: bitmaps do not change, and buffers are locked while they are read.

#if canImport(UIKit)
  /// The bitmap of a `UIImage` as the source of a facade's image.
  @_spi(Facades) public struct UIImageSource: ImageSource, @unchecked Sendable {
    /// The image that the bitmap belongs to.
    public let image: UIImage
    private let bitmap: CGImage

    /// Creates a source of the bitmap of `image`; `nil` if it has none, such as an image created from a `CIImage`.
    public init?(_ image: UIImage) {
      guard let bitmap = image.cgImage else { return nil }
      self.image = image
      self.bitmap = bitmap
    }

    /// `image`.
    public var kind: ImageSourceKind { .image }
    /// The size in pixels, as the image is displayed.
    public var size: (width: Double, height: Double) {
      (Double(image.size.width * image.scale), Double(image.size.height * image.scale))
    }

    /// Returns a copy of the bitmap.
    ///
    /// - Throws: `ImageError` if the bitmap cannot be drawn.
    public func inputImage() throws -> InputImage {
      let (width, height) = (bitmap.width, bitmap.height)
      let size = DrawingSize(bitmapWidth: width, bitmapHeight: height)
      return InputImage(try ImageBuffer(drawing: bitmap, in: size), ofWidth: width, height: height)
    }
  }
#endif

#if canImport(CoreVideo)
  /// A pixel buffer of Core Video as the source of a facade's image.
  @_spi(Facades) public struct PixelBufferSource: ImageSource, @unchecked Sendable {
    /// The pixels.
    public let buffer: CVPixelBuffer

    /// Creates a source of the pixels in `buffer`.
    public init(_ buffer: CVPixelBuffer) { self.buffer = buffer }

    /// `pixelBuffer`.
    public var kind: ImageSourceKind { .pixelBuffer }
    /// The size in pixels, as the image is stored.
    public var size: (width: Double, height: Double) {
      (Double(CVPixelBufferGetWidth(buffer)), Double(CVPixelBufferGetHeight(buffer)))
    }

    /// Returns a copy of the buffer.
    ///
    /// - Throws: `ImageError` if the pixel format is not supported.
    public func inputImage() throws -> InputImage { InputImage(try ImageBuffer(copying: buffer)) }
  }
#endif

#if canImport(CoreMedia)
  /// The pixel buffer in a sample buffer of Core Media as the source of a facade's image.
  @_spi(Facades) public struct SampleBufferSource: ImageSource, @unchecked Sendable {
    /// The sample buffer.
    public let buffer: CMSampleBuffer
    /// The pixels in the sample buffer.
    public let frame: PixelBufferSource

    /// Creates a source of the pixels in `buffer`.
    ///
    /// - Throws: `TaskError` if the sample buffer is not valid or has no pixels.
    public init(_ buffer: CMSampleBuffer) throws(TaskError) {
      guard CMSampleBufferIsValid(buffer) else { throw TaskError(.invalidImage, "the sample buffer is not valid") }
      guard let pixels = CMSampleBufferGetImageBuffer(buffer) else {
        throw TaskError(
          .invalidImage, "the sample buffer holds no pixels; compressed samples must be decoded first")
      }
      self.buffer = buffer
      frame = PixelBufferSource(pixels)
    }

    /// `sampleBuffer`.
    public var kind: ImageSourceKind { .sampleBuffer }
    /// The size in pixels, as the image is stored.
    public var size: (width: Double, height: Double) { frame.size }

    /// Returns a copy of the pixels.
    ///
    /// - Throws: `ImageError` if the pixel format is not supported.
    public func inputImage() throws -> InputImage { try frame.inputImage() }
  }
#endif

#if canImport(UIKit)
  /// The type by which facades state orientations.
  @_spi(Facades) public typealias SourceOrientation = UIImage.Orientation
#else
  /// The type by which facades state orientations.
  @_spi(Facades) public typealias SourceOrientation = ImageOrientation
#endif

/// A facade's image with the orientation that it had when a task received it.
///
/// Its pixels are read when they are needed, on any thread.
@_spi(Facades) public struct ImageSnapshot: Sendable {
  private let source: any ImageSource
  private let orientation: ImageOrientation

  /// Creates a snapshot of an image.
  ///
  /// - Throws: `TaskError` if a later version of the system has added the orientation.
  public init(_ source: any ImageSource, orientation: SourceOrientation) throws {
    self.source = source
    #if canImport(UIKit)
      self.orientation = try ImageOrientation(orientation)
    #else
      self.orientation = orientation
    #endif
  }

  /// Returns the image for a task, with a copy of the pixels if their owner may change them.
  ///
  /// - Throws: `TaskError` or `ImageError` if tasks do not support the pixels.
  public func inputImage() throws -> InputImage {
    var image = try source.inputImage()
    image.orientation = orientation
    return image
  }
}

#if canImport(UIKit)
  extension ImageOrientation {
    /// Creates the orientation that UIKit's value stands for.
    ///
    /// - Throws: `TaskError` if a later version of the system has added the value.
    @_spi(Facades) public init(_ orientation: UIImage.Orientation) throws {
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
        throw TaskError(
          .invalidImage,
          "UIImage.Orientation \(orientation.rawValue) is unknown; use up, right, down, or left.")
      }
    }
  }
#endif
