public import Foundation
public import SwiftletImage
@_spi(Facades) import SwiftletVision

#if canImport(CoreMedia)
  public import CoreMedia
#endif
#if canImport(CoreVideo)
  public import CoreVideo
#endif
#if canImport(UIKit)
  import CoreGraphics
  public import UIKit

  /// The orientation of the stored pixels of ``MPImage``.
  public typealias MPImageOrientation = UIImage.Orientation
#else
  /// The orientation of the stored pixels of ``MPImage``. On platforms with UIKit, it is `UIImage.Orientation`, which
  /// has the same names.
  public typealias MPImageOrientation = ImageOrientation
#endif

/// An image for a task: the source of its pixels, and their orientation.
///
/// Results are relative to the stored image. Tasks accept the orientations `.up`, `.right`, `.down`, and `.left` and
/// throw an error for mirrored ones.
///
/// With UIKit, Core Video, or Core Media, images can be created from their types, as in MediaPipe. On every platform,
/// they can be created from bytes or from an `ImageBuffer`:
///
/// ```swift
/// let image = try MPImage(rgb: bytes, width: 640, height: 480)
/// ```
///
/// - Thread safety: an image may be sent to other threads. If it was created from a buffer, the buffer must not be
///   written to while a task reads it.
#if canImport(ObjectiveC)
  @objc(MPPImage) @objcMembers
#endif
open class MPImage: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, and only reads their
  // contents.

  let source: any ImageSource
  /// The orientation of the stored pixels.
  public let orientation: MPImageOrientation

  init(_ source: any ImageSource, orientation: MPImageOrientation) {
    self.source = source
    self.orientation = orientation
  }

  /// Creates an image from pixels in memory.
  public convenience init(imageBuffer: ImageBuffer, orientation: MPImageOrientation = .up) {
    self.init(ImageBufferSource(imageBuffer), orientation: orientation)
  }

  /// Creates an image from packed red, green, and blue bytes in row-major order from the top.
  ///
  /// - Throws: `TasksErrorCode.invalidArgumentError` if there are fewer than `3 · width · height` bytes, or a size is
  ///   out of range.
  public convenience init(
    rgb bytes: [UInt8], width: Int, height: Int, orientation: MPImageOrientation = .up
  ) throws {
    try self.init(bytes, width, height, .rgb8, orientation)
  }

  /// Creates an image from packed red, green, blue, and alpha bytes in row-major order from the top. Colors are not
  /// premultiplied.
  ///
  /// - Throws: `TasksErrorCode.invalidArgumentError` if there are fewer than `4 · width · height` bytes, or a size is
  ///   out of range.
  public convenience init(
    rgba bytes: [UInt8], width: Int, height: Int, orientation: MPImageOrientation = .up
  ) throws {
    try self.init(bytes, width, height, .rgba8, orientation)
  }

  /// Creates an image from packed blue, green, red, and alpha bytes in row-major order from the top. Colors are not
  /// premultiplied.
  ///
  /// - Throws: `TasksErrorCode.invalidArgumentError` if there are fewer than `4 · width · height` bytes, or a size is
  ///   out of range.
  public convenience init(
    bgra bytes: [UInt8], width: Int, height: Int, orientation: MPImageOrientation = .up
  ) throws {
    try self.init(bytes, width, height, .bgra8, orientation)
  }

  private convenience init(
    _ bytes: [UInt8], _ width: Int, _ height: Int, _ format: PixelFormat, _ orientation: MPImageOrientation
  ) throws {
    let buffer = try reportingTasksErrors {
      try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: format)
    }
    self.init(imageBuffer: buffer, orientation: orientation)
  }

  /// The width in pixels: as displayed for a `UIImage`, as stored for everything else.
  public var width: CGFloat { source.size.width }
  /// The height in pixels: as displayed for a `UIImage`, as stored for everything else.
  public var height: CGFloat { source.size.height }
  /// The type of the image's source.
  public var imageSourceType: MPImageSourceType { MPImageSourceType(rawValue: source.kind.rawValue) }
  /// The pixels in memory that the image was created from; `nil` for other sources.
  public var imageBuffer: ImageBuffer? { (source as? ImageBufferSource)?.buffer }

  /// Returns the image for a task. Buffers are copied, because their owners may reuse them.
  ///
  /// - Throws: `TaskError` or `ImageError` when the pixels are of a kind that tasks do not take.
  func inputImage() throws -> InputImage {
    #if canImport(CoreVideo)
      try requireColors()
    #endif
    return try ImageSnapshot(source, orientation: orientation).inputImage()
  }
}

#if canImport(CoreMedia)
  extension MPImage {
    /// Creates an upright image from a sample buffer.
    ///
    /// - Throws: `TasksErrorCode.invalidArgumentError` if the sample buffer is not valid or has no image.
    public convenience init(sampleBuffer: CMSampleBuffer) throws {
      try self.init(sampleBuffer: sampleBuffer, orientation: .up)
    }

    /// Creates an image from a sample buffer with the given orientation.
    ///
    /// Its pixels are read when a task processes the image, with the same restriction as for a `CVPixelBuffer`.
    ///
    /// - Throws: `TasksErrorCode.invalidArgumentError` if the sample buffer is not valid or has no image.
    public convenience init(sampleBuffer: CMSampleBuffer, orientation: MPImageOrientation) throws {
      let source: SampleBufferSource
      do {
        source = try SampleBufferSource(sampleBuffer)
      } catch {
        let text =
          CMSampleBufferIsValid(sampleBuffer)
          ? "Sample buffer holds no image. CMSampleBufferGetImageBuffer(sampleBuffer) is nil."
          : "Sample buffer is not valid. Invoking CMSampleBufferIsValid(sampleBuffer) must return true."
        throw NSError.tasks(TasksFailure(misuse: text))
      }
      self.init(source, orientation: orientation)
    }

    /// The sample buffer that the image was created from; `nil` for other sources.
    public var sampleBuffer: CMSampleBuffer? { (source as? SampleBufferSource)?.buffer }
  }
#endif

#if canImport(CoreVideo)
  extension MPImage {
    /// Creates an upright image from a pixel buffer.
    public convenience init(pixelBuffer: CVPixelBuffer) throws {
      try self.init(pixelBuffer: pixelBuffer, orientation: .up)
    }

    /// Creates an image from a pixel buffer with the given orientation.
    ///
    /// Its pixels are read when a task processes the image. The task throws `TasksErrorCode.invalidArgumentError`
    /// unless their format is `kCVPixelFormatType_32BGRA`.
    public convenience init(pixelBuffer: CVPixelBuffer, orientation: MPImageOrientation) throws {
      self.init(PixelBufferSource(pixelBuffer), orientation: orientation)
    }

    /// The pixel buffer that the image was created from; `nil` for other sources.
    public var pixelBuffer: CVPixelBuffer? { (source as? PixelBufferSource)?.buffer }

    /// Checks the pixel format.
    ///
    /// - Throws: `TasksFailure` for pixel buffers with a format that MediaPipe's tasks do not support.
    func requireColors() throws(TasksFailure) {
      var buffer = pixelBuffer
      #if canImport(CoreMedia)
        buffer = buffer ?? (source as? SampleBufferSource)?.frame.buffer
      #endif
      guard let buffer else { return }
      switch CVPixelBufferGetPixelFormatType(buffer) {
      case kCVPixelFormatType_32BGRA: break
      case kCVPixelFormatType_OneComponent32Float:
        throw TasksFailure(
          misuse:
            "A pixel buffer of kCVPixelFormatType_OneComponent32Float has no colors, which the task's model needs. Give one of kCVPixelFormatType_32BGRA."
        )
      default:
        throw TasksFailure(
          misuse:
            "Unsupported pixel format for CVPixelBuffer. Expected kCVPixelFormatType_32BGRA or kCVPixelFormatType_OneComponent32Float"
        )
      }
    }
  }
#endif

#if canImport(UIKit)
  extension MPImage {
    /// Creates an image from a `UIImage`, with its orientation.
    ///
    /// - Throws: `TasksErrorCode.invalidArgumentError` if it has no bitmap, such as one created from a `CIImage`.
    #if canImport(ObjectiveC)
      @objc(initWithUIImage:error:)
    #endif
    public convenience init(uiImage: UIImage) throws {
      try self.init(uiImage: uiImage, orientation: uiImage.imageOrientation)
    }

    /// Creates an image from the bitmap of a `UIImage`, with the given orientation instead of its own.
    ///
    /// - Throws: `TasksErrorCode.invalidArgumentError` if it has no bitmap, such as one created from a `CIImage`.
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

    /// The `UIImage` that the image was created from; `nil` for other sources.
    public var image: UIImage? { (source as? UIImageSource)?.image }
  }
#endif

/// The type of an image's source.
public struct MPImageSourceType: RawRepresentable, Hashable, Sendable {
  /// The raw value of the type in MediaPipe.
  public let rawValue: Int

  /// Creates a type with a raw value.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A `UIImage`.
  public static let image = MPImageSourceType(rawValue: 0)
  /// A `CVPixelBuffer`.
  public static let pixelBuffer = MPImageSourceType(rawValue: 1)
  /// A `CMSampleBuffer`.
  public static let sampleBuffer = MPImageSourceType(rawValue: 2)
  /// Bytes or an `ImageBuffer`. This is an addition to MediaPipe's types.
  public static let imageBuffer = MPImageSourceType(rawValue: 3)
}

#if canImport(ObjectiveC)
  /// The constants of ``MPImageSourceType`` for Objective-C, which doesn't support Swift structs.
  @available(swift, obsoleted: 1.0, message: "Use MPImageSourceType.")
  @objc(MPPImageSourceType)
  public enum MPImageSourceTypeConstant: Int {
    /// A `UIImage`.
    case image = 0
    /// A `CVPixelBuffer`.
    case pixelBuffer = 1
    /// A `CMSampleBuffer`.
    case sampleBuffer = 2
    /// Bytes or an `ImageBuffer`. This is an addition to MediaPipe's types.
    case imageBuffer = 3
  }

  extension MPImage {
    /// The value of ``imageSourceType`` for Objective-C.
    @available(swift, obsoleted: 1.0, message: "Use imageSourceType.")
    @objc(imageSourceType)
    public var imageSourceTypeConstant: MPImageSourceTypeConstant {
      .init(rawValue: source.kind.rawValue) ?? .imageBuffer
    }
  }
#endif
