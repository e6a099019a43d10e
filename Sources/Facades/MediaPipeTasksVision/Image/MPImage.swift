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
  /// The orientation of the stored pixels of ``MPImage``; `UIImage.Orientation` where there is UIKit, with the same
  /// names.
  public typealias MPImageOrientation = ImageOrientation
#endif

/// An image for a task: where its pixels are, and how they have to be turned to stand upright.
///
/// Results refer to the image as it is stored. Tasks accept the orientations `.up`, `.right`, `.down` and `.left` and
/// throw for mirrored ones.
///
/// Where there is UIKit, Core Video or Core Media, images are made from their types as with MediaPipe. On every
/// platform they are made from bytes or from an `ImageBuffer`:
///
/// ```swift
/// let image = try MPImage(rgb: bytes, width: 640, height: 480)
/// ```
///
/// - Thread safety: An image may be handed to other threads. Whoever made it from a buffer must not write to the buffer
///   while a task reads it.
#if canImport(ObjectiveC)
  @objc(MPPImage) @objcMembers
#endif
open class MPImage: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, and only reads what they refer to.

  let source: any ImageSource
  /// The orientation of the stored pixels.
  public let orientation: MPImageOrientation

  init(_ source: any ImageSource, orientation: MPImageOrientation) {
    self.source = source
    self.orientation = orientation
  }

  /// Creates an image of pixels in memory.
  public convenience init(imageBuffer: ImageBuffer, orientation: MPImageOrientation = .up) {
    self.init(ImageBufferSource(imageBuffer), orientation: orientation)
  }

  /// Creates an image of packed red, green and blue bytes, row after row from the top.
  ///
  /// - Throws: `TasksErrorCode.invalidArgumentError` when there are fewer bytes than `3 · width · height`, or a size is
  ///   out of range.
  public convenience init(
    rgb bytes: [UInt8], width: Int, height: Int, orientation: MPImageOrientation = .up
  ) throws {
    try self.init(bytes, width, height, .rgb8, orientation)
  }

  /// Creates an image of packed red, green, blue and alpha bytes, row after row from the top; colors are not multiplied
  /// by alpha.
  ///
  /// - Throws: `TasksErrorCode.invalidArgumentError` when there are fewer bytes than `4 · width · height`, or a size is
  ///   out of range.
  public convenience init(
    rgba bytes: [UInt8], width: Int, height: Int, orientation: MPImageOrientation = .up
  ) throws {
    try self.init(bytes, width, height, .rgba8, orientation)
  }

  /// Creates an image of packed blue, green, red and alpha bytes, row after row from the top; colors are not multiplied
  /// by alpha.
  ///
  /// - Throws: `TasksErrorCode.invalidArgumentError` when there are fewer bytes than `4 · width · height`, or a size is
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

  /// Width in pixels: of a `UIImage` as it is displayed, of everything else as it is stored.
  public var width: CGFloat { source.size.width }
  /// Height in pixels: of a `UIImage` as it is displayed, of everything else as it is stored.
  public var height: CGFloat { source.size.height }
  /// The source of the image.
  public var imageSourceType: MPImageSourceType { MPImageSourceType(rawValue: source.kind.rawValue) }
  /// The pixels in memory that the image was made from; `nil` if it was made from something else.
  public var imageBuffer: ImageBuffer? { (source as? ImageBufferSource)?.buffer }

  /// The image as tasks take it. Buffers are copied, as their owners may use them again.
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
    /// Creates an image of a sample buffer that stands upright.
    ///
    /// - Throws: `TasksErrorCode.invalidArgumentError` when the sample buffer is not valid or holds no image.
    public convenience init(sampleBuffer: CMSampleBuffer) throws {
      try self.init(sampleBuffer: sampleBuffer, orientation: .up)
    }

    /// Creates an image of a sample buffer, turned as `orientation` says.
    ///
    /// Its pixels are read when a task is given the image, as those of a `CVPixelBuffer`.
    ///
    /// - Throws: `TasksErrorCode.invalidArgumentError` when the sample buffer is not valid or holds no image.
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

    /// The sample buffer that the image was made from; `nil` if it was made from something else.
    public var sampleBuffer: CMSampleBuffer? { (source as? SampleBufferSource)?.buffer }
  }
#endif

#if canImport(CoreVideo)
  extension MPImage {
    /// Creates an image of a pixel buffer that stands upright.
    public convenience init(pixelBuffer: CVPixelBuffer) throws {
      try self.init(pixelBuffer: pixelBuffer, orientation: .up)
    }

    /// Creates an image of a pixel buffer, turned as `orientation` says.
    ///
    /// Its pixels are read when a task is given the image, which throws `TasksErrorCode.invalidArgumentError` unless
    /// they are of `kCVPixelFormatType_32BGRA`.
    public convenience init(pixelBuffer: CVPixelBuffer, orientation: MPImageOrientation) throws {
      self.init(PixelBufferSource(pixelBuffer), orientation: orientation)
    }

    /// The pixel buffer that the image was made from; `nil` if it was made from something else.
    public var pixelBuffer: CVPixelBuffer? { (source as? PixelBufferSource)?.buffer }

    /// - Throws: `TasksFailure` for pixel buffers of a format that MediaPipe's tasks do not take.
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
    /// An image of a `UIImage`, turned as that says.
    ///
    /// - Throws: `TasksErrorCode.invalidArgumentError` when there is no bitmap behind it, as for one made from a
    ///   `CIImage`.
    #if canImport(ObjectiveC)
      @objc(initWithUIImage:error:)
    #endif
    public convenience init(uiImage: UIImage) throws {
      try self.init(uiImage: uiImage, orientation: uiImage.imageOrientation)
    }

    /// An image of the bitmap behind a `UIImage`, turned as `orientation` says, whatever the `UIImage` says.
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

    /// The `UIImage` that the image was made from; `nil` if it was made from something else.
    public var image: UIImage? { (source as? UIImageSource)?.image }
  }
#endif

/// The source of an ``MPImage``.
public struct MPImageSourceType: RawRepresentable, Hashable, Sendable {
  /// The number of the type in MediaPipe.
  public let rawValue: Int

  /// Creates a type of this number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A `UIImage`.
  public static let image = MPImageSourceType(rawValue: 0)
  /// A `CVPixelBuffer`.
  public static let pixelBuffer = MPImageSourceType(rawValue: 1)
  /// A `CMSampleBuffer`.
  public static let sampleBuffer = MPImageSourceType(rawValue: 2)
  /// Bytes or an `ImageBuffer`: an addition to MediaPipe's kinds.
  public static let imageBuffer = MPImageSourceType(rawValue: 3)
}

#if canImport(ObjectiveC)
  /// The constants of ``MPImageSourceType`` for Objective-C, which knows no structs of Swift.
  @available(swift, obsoleted: 1.0, message: "Use MPImageSourceType.")
  @objc(MPPImageSourceType)
  public enum MPImageSourceTypeConstant: Int {
    /// A `UIImage`.
    case image = 0
    /// A `CVPixelBuffer`.
    case pixelBuffer = 1
    /// A `CMSampleBuffer`.
    case sampleBuffer = 2
    /// Bytes or an `ImageBuffer`: an addition to MediaPipe's kinds.
    case imageBuffer = 3
  }

  extension MPImage {
    /// ``imageSourceType`` for Objective-C.
    @available(swift, obsoleted: 1.0, message: "Use imageSourceType.")
    @objc(imageSourceType)
    public var imageSourceTypeConstant: MPImageSourceTypeConstant {
      .init(rawValue: source.kind.rawValue) ?? .imageBuffer
    }
  }
#endif
