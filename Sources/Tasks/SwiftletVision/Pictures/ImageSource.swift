@_spi(Facades) package import SwiftletImage

#if canImport(CoreMedia)
  package import CoreMedia
#endif
#if canImport(CoreVideo)
  package import CoreVideo
#endif
#if canImport(UIKit)
  package import UIKit
#endif

/// The source type of a facade's image. The raw values are those of the source types in Google's libraries.
package enum ImageSourceKind: Int, Sendable {
  case image = 0
  case pixelBuffer = 1
  case sampleBuffer = 2
  /// Pixels in memory, which has no counterpart in Google's libraries.
  case memory = 3
}

/// The source of the pixels of a facade's image. They are read when a task needs them, on any thread.
package protocol ImageSource: Sendable {
  var kind: ImageSourceKind { get }
  /// The size in pixels: as displayed for a `UIImage`, as stored for everything else.
  var size: (width: Double, height: Double) { get }

  /// Returns the stored image, neither rotated nor mirrored, with straight colors (not multiplied by alpha).
  ///
  /// - Throws: `TaskError` or `ImageError` if the pixel format is not supported.
  func picture() throws -> InputImage
}

/// Pixels in memory.
package struct ImageBufferSource: ImageSource {
  package let buffer: ImageBuffer

  package init(_ buffer: ImageBuffer) { self.buffer = buffer }

  package var kind: ImageSourceKind { .memory }
  package var size: (width: Double, height: Double) { (Double(buffer.width), Double(buffer.height)) }

  package func picture() -> InputImage { InputImage(buffer) }
}

// The types below are unchecked because Apple doesn't mark all of these framework types as `Sendable`. They are
// retained and only read: bitmaps are immutable, and buffers are locked while they are read.

#if canImport(UIKit)
  /// The bitmap behind a `UIImage`.
  package struct UIImageSource: ImageSource, @unchecked Sendable {
    package let image: UIImage
    private let bitmap: CGImage

    /// Creates a source, or returns `nil` for an image without a bitmap, such as one created from a `CIImage`.
    package init?(_ image: UIImage) {
      guard let bitmap = image.cgImage else { return nil }
      self.image = image
      self.bitmap = bitmap
    }

    package var kind: ImageSourceKind { .image }
    package var size: (width: Double, height: Double) {
      (Double(image.size.width * image.scale), Double(image.size.height * image.scale))
    }

    package func picture() throws -> InputImage {
      let (width, height) = (bitmap.width, bitmap.height)
      let size = DrawingSize(bitmapWidth: width, bitmapHeight: height)
      return InputImage(try ImageBuffer(drawing: bitmap, in: size), ofWidth: width, height: height)
    }
  }
#endif

#if canImport(CoreVideo)
  /// A pixel buffer of Core Video.
  package struct PixelBufferSource: ImageSource, @unchecked Sendable {
    package let buffer: CVPixelBuffer

    package init(_ buffer: CVPixelBuffer) { self.buffer = buffer }

    package var kind: ImageSourceKind { .pixelBuffer }
    package var size: (width: Double, height: Double) {
      (Double(CVPixelBufferGetWidth(buffer)), Double(CVPixelBufferGetHeight(buffer)))
    }

    package func picture() throws -> InputImage { InputImage(try ImageBuffer(copying: buffer)) }
  }
#endif

#if canImport(CoreMedia)
  /// The pixel buffer in a sample buffer of Core Media.
  package struct SampleBufferSource: ImageSource, @unchecked Sendable {
    package let buffer: CMSampleBuffer
    package let frame: PixelBufferSource

    /// Creates a source.
    ///
    /// - Throws: `TaskError` if the sample buffer is not valid or contains no pixels.
    package init(_ buffer: CMSampleBuffer) throws(TaskError) {
      guard CMSampleBufferIsValid(buffer) else { throw TaskError(.invalidImage, "the sample buffer is not valid") }
      guard let pixels = CMSampleBufferGetImageBuffer(buffer) else {
        throw TaskError(
          .invalidImage, "the sample buffer holds no pixels; compressed samples must be decoded first")
      }
      self.buffer = buffer
      frame = PixelBufferSource(pixels)
    }

    package var kind: ImageSourceKind { .sampleBuffer }
    package var size: (width: Double, height: Double) { frame.size }

    package func picture() throws -> InputImage { try frame.picture() }
  }
#endif

#if canImport(UIKit)
  /// The type in which facades specify the orientation of pixels.
  package typealias SourceOrientation = UIImage.Orientation
#else
  /// The type in which facades specify the orientation of pixels.
  package typealias SourceOrientation = ImageOrientation
#endif

/// A snapshot of a facade's image at the time of a call. Its pixels are read when they are needed, on any thread.
package struct ImageSnapshot: Sendable {
  private let source: any ImageSource
  private let orientation: ImageOrientation

  /// Creates a snapshot.
  ///
  /// - Throws: `TaskError` for orientations that a later system may add.
  package init(_ source: any ImageSource, orientation: SourceOrientation) throws {
    self.source = source
    #if canImport(UIKit)
      self.orientation = try ImageOrientation(orientation)
    #else
      self.orientation = orientation
    #endif
  }

  /// Returns the image for a task. Buffers are copied, because their owners may reuse them.
  ///
  /// - Throws: `TaskError` or `ImageError` if the pixel format is not supported.
  package func picture() throws -> InputImage {
    var picture = try source.picture()
    picture.orientation = orientation
    return picture
  }
}

#if canImport(UIKit)
  extension ImageOrientation {
    /// Creates an orientation.
    ///
    /// - Throws: `TaskError` for orientations that a later system may add.
    package init(_ orientation: UIImage.Orientation) throws {
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
