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

/// What an image of a facade was made from. The raw values are those of the source types in Google's libraries.
@_spi(Facades) public enum ImageSourceKind: Int, Sendable {
  case image = 0
  case pixelBuffer = 1
  case sampleBuffer = 2
  /// None of theirs.
  case memory = 3
}

/// Where the pixels of a facade's image come from, which are read when a task asks for them, on any thread.
@_spi(Facades) public protocol ImageSource: Sendable {
  var kind: ImageSourceKind { get }
  /// In pixels: of a `UIImage` as it is displayed, of everything else as it is stored.
  var size: (width: Double, height: Double) { get }

  /// The image as it is stored, not turned, with straight colors.
  ///
  /// - Throws: `TaskError` or `ImageError` when the pixels are of a kind that tasks do not take.
  func picture() throws -> InputImage
}

/// Pixels in memory.
@_spi(Facades) public struct ImageBufferSource: ImageSource {
  public let buffer: ImageBuffer

  public init(_ buffer: ImageBuffer) { self.buffer = buffer }

  public var kind: ImageSourceKind { .memory }
  public var size: (width: Double, height: Double) { (Double(buffer.width), Double(buffer.height)) }

  public func picture() -> InputImage { InputImage(buffer) }
}

// Those below are unchecked because Apple's frameworks do not say of all their types that threads may share them. These
// are held and only read: bitmaps do not change, and buffers are locked while they are read.

#if canImport(UIKit)
  /// The bitmap behind a `UIImage`.
  @_spi(Facades) public struct UIImageSource: ImageSource, @unchecked Sendable {
    public let image: UIImage
    private let bitmap: CGImage

    /// `nil` without a bitmap, as for an image that was made from a `CIImage`.
    public init?(_ image: UIImage) {
      guard let bitmap = image.cgImage else { return nil }
      self.image = image
      self.bitmap = bitmap
    }

    public var kind: ImageSourceKind { .image }
    public var size: (width: Double, height: Double) {
      (Double(image.size.width * image.scale), Double(image.size.height * image.scale))
    }

    public func picture() throws -> InputImage {
      let (width, height) = (bitmap.width, bitmap.height)
      let size = DrawingSize(bitmapWidth: width, bitmapHeight: height)
      return InputImage(try ImageBuffer(drawing: bitmap, in: size), ofWidth: width, height: height)
    }
  }
#endif

#if canImport(CoreVideo)
  /// A pixel buffer of Core Video.
  @_spi(Facades) public struct PixelBufferSource: ImageSource, @unchecked Sendable {
    public let buffer: CVPixelBuffer

    public init(_ buffer: CVPixelBuffer) { self.buffer = buffer }

    public var kind: ImageSourceKind { .pixelBuffer }
    public var size: (width: Double, height: Double) {
      (Double(CVPixelBufferGetWidth(buffer)), Double(CVPixelBufferGetHeight(buffer)))
    }

    public func picture() throws -> InputImage { InputImage(try ImageBuffer(copying: buffer)) }
  }
#endif

#if canImport(CoreMedia)
  /// The pixel buffer in a sample buffer of Core Media.
  @_spi(Facades) public struct SampleBufferSource: ImageSource, @unchecked Sendable {
    public let buffer: CMSampleBuffer
    public let frame: PixelBufferSource

    /// - Throws: `TaskError` when the sample buffer is not valid or holds no pixels.
    public init(_ buffer: CMSampleBuffer) throws(TaskError) {
      guard CMSampleBufferIsValid(buffer) else { throw TaskError(.invalidImage, "the sample buffer is not valid") }
      guard let pixels = CMSampleBufferGetImageBuffer(buffer) else {
        throw TaskError(
          .invalidImage, "the sample buffer holds no pixels; compressed samples must be decoded first")
      }
      self.buffer = buffer
      frame = PixelBufferSource(pixels)
    }

    public var kind: ImageSourceKind { .sampleBuffer }
    public var size: (width: Double, height: Double) { frame.size }

    public func picture() throws -> InputImage { try frame.picture() }
  }
#endif

#if canImport(UIKit)
  /// How facades say that pixels are turned.
  @_spi(Facades) public typealias SourceOrientation = UIImage.Orientation
#else
  /// How facades say that pixels are turned.
  @_spi(Facades) public typealias SourceOrientation = ImageOrientation
#endif

/// A facade's image as it was when a task was given it. Its pixels are read when they are needed, on any thread.
@_spi(Facades) public struct ImageSnapshot: Sendable {
  private let source: any ImageSource
  private let orientation: ImageOrientation

  /// - Throws: `TaskError` for orientations that a later system may add.
  public init(_ source: any ImageSource, orientation: SourceOrientation) throws {
    self.source = source
    #if canImport(UIKit)
      self.orientation = try ImageOrientation(orientation)
    #else
      self.orientation = orientation
    #endif
  }

  /// The image as tasks take it. Buffers are copied, as their owners may use them again.
  ///
  /// - Throws: `TaskError` or `ImageError` when the pixels are of a kind that tasks do not take.
  public func picture() throws -> InputImage {
    var picture = try source.picture()
    picture.orientation = orientation
    return picture
  }
}

#if canImport(UIKit)
  extension ImageOrientation {
    /// - Throws: `TaskError` for orientations that a later system may add.
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
          "UIImage.Orientation \(orientation.rawValue) is not known here; give one of up, right, down, left.")
      }
    }
  }
#endif
