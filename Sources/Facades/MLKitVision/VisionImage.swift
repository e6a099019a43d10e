@_spi(Facades) package import SwiftletVision

#if canImport(UIKit)
  /// The orientation of the stored pixels of ``VisionImage``.
  public typealias VisionImageOrientation = UIImage.Orientation
#else
  /// The orientation of the stored pixels of ``VisionImage``. On platforms with UIKit, it is `UIImage.Orientation`,
  /// which has the same names.
  public typealias VisionImageOrientation = ImageOrientation
#endif

/// An image for a detector or labeler: its pixels, and their orientation.
///
/// Models process the upright image; the frames of results are relative to the stored image.
///
/// With UIKit or Core Media, images can be created from their types, as in ML Kit. On every platform, they can be
/// created from bytes:
///
/// ```swift
/// let image = try VisionImage(bgra: bytes, width: 640, height: 480, bytesPerRow: 2560)
/// image.orientation = .right
/// ```
open class VisionImage: NSObject, MLKitCompatibleImage, PixelSource {
  /// The orientation of the stored pixels.
  open var orientation = VisionImageOrientation.up
  /// The time when the image was taken, in seconds on any clock. Sample buffers provide it. If it is `nil` or not a
  /// finite number, the time of the call to the detector is used. This is an addition to ML Kit's API.
  open var timestamp: TimeInterval?
  private let source: Result<any ImageSource, TaskError>

  // MARK: Initializers. They are not in extensions, so that subclasses inherit them.

  /// Creates an image from pixels in memory. Like all initializers from bytes, this is an addition to ML Kit's API.
  public init(imageBuffer: ImageBuffer) { source = .success(ImageBufferSource(imageBuffer)) }

  #if canImport(UIKit)
    /// Creates an image from a `UIImage` with a bitmap; set ``orientation`` from its `imageOrientation`.
    ///
    /// The pixels are read when the image is processed. Detectors and labelers throw an error for an image without a
    /// bitmap.
    public init(image: UIImage) {
      source = Result { () throws(TaskError) in
        guard let source = UIImageSource(image) else {
          throw TaskError(
            .invalidImage, "the UIImage has no bitmap: its cgImage is nil, as for one made from a CIImage")
        }
        return source
      }
    }
  #endif

  #if canImport(CoreMedia)
    /// Creates an image from a sample buffer with pixels: 32-bit BGRA or RGBA, 24-bit RGB, 8-bit single-component, or
    /// 8-bit bi-planar 4:2:0 with full or video range.
    ///
    /// The pixels are read when the image is processed. Until then, the buffer is retained and must not be written to,
    /// so don't keep many of these images. For other formats, and compressed samples, processing throws an error.
    public init(buffer: CMSampleBuffer) {
      source = Result { () throws(TaskError) in try SampleBufferSource(buffer) }
      let time = CMSampleBufferGetPresentationTimeStamp(buffer)
      if time.isNumeric { timestamp = time.seconds }
    }
  #endif

  /// Creates an image from red, green, blue, and alpha bytes in row-major order from the top. Colors are not multiplied
  /// by alpha.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of all rows.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - bytesPerRow: The distance between the starts of consecutive rows; `nil` for rows without padding.
  /// - Throws: `MLKitError` (`invalidArgument`) if there are too few bytes, or a size is out of range.
  public convenience init(rgba bytes: [UInt8], width: Int, height: Int, bytesPerRow: Int? = nil) throws {
    try self.init(bytes, width, height, bytesPerRow, .rgba8)
  }

  /// Creates an image from blue, green, red, and alpha bytes in row-major order from the top. Colors are not multiplied
  /// by alpha.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of all rows.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - bytesPerRow: The distance between the starts of consecutive rows; `nil` for rows without padding.
  /// - Throws: `MLKitError` (`invalidArgument`) if there are too few bytes, or a size is out of range.
  public convenience init(bgra bytes: [UInt8], width: Int, height: Int, bytesPerRow: Int? = nil) throws {
    try self.init(bytes, width, height, bytesPerRow, .bgra8)
  }

  /// Creates an image from red, green, and blue bytes in row-major order from the top.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of all rows.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - bytesPerRow: The distance between the starts of consecutive rows; `nil` for rows without padding.
  /// - Throws: `MLKitError` (`invalidArgument`) if there are too few bytes, or a size is out of range.
  public convenience init(rgb bytes: [UInt8], width: Int, height: Int, bytesPerRow: Int? = nil) throws {
    try self.init(bytes, width, height, bytesPerRow, .rgb8)
  }

  /// Creates an image from the two planes of a camera's 4:2:0 image (NV12, `420v`, `420f`): luma, and interleaved
  /// chroma with blue first, one pair for every 2 × 2 pixels.
  ///
  /// - Parameters:
  ///   - y: The luma plane, one byte per pixel.
  ///   - uv: The chroma plane, two bytes per 2 × 2 pixels.
  ///   - width: The width of the image in pixels.
  ///   - height: The height of the image in pixels.
  ///   - yBytesPerRow: The distance between consecutive rows of luma; `nil` for rows without padding.
  ///   - uvBytesPerRow: The distance between consecutive rows of chroma; `nil` for rows without padding.
  ///   - range: The range of values: `.video` for `420v`, `.full` for `420f`.
  ///   - matrix: The color matrix: `.bt601` for standard definition and most still images, `.bt709` for high
  ///     definition, `.bt2020` for ultra-high definition.
  /// - Throws: `MLKitError` (`invalidArgument`) if a plane has too few bytes, or a size is out of range.
  public convenience init(
    nv12 y: [UInt8], uv: [UInt8], width: Int, height: Int, yBytesPerRow: Int? = nil, uvBytesPerRow: Int? = nil,
    range: YUVEncoding.Range = .video, matrix: YUVEncoding.Matrix = .bt601
  ) throws {
    let buffer = try MLKitError.reportingImageErrors {
      try y.withUnsafeBytes { luma in
        try uv.withUnsafeBytes { chroma in
          try ImageBuffer(
            lumaPlane: luma, lumaBytesPerRow: yBytesPerRow ?? width, chromaPlane: chroma,
            chromaBytesPerRow: uvBytesPerRow ?? (width < .max ? (width + 1) / 2 * 2 : width), width: width,
            height: height,
            encoding: YUVEncoding(range: range, matrix: matrix))
        }
      }
    }
    self.init(imageBuffer: buffer)
  }

  private convenience init(
    _ bytes: [UInt8], _ width: Int, _ height: Int, _ bytesPerRow: Int?, _ format: PixelFormat
  ) throws {
    let buffer = try MLKitError.reportingImageErrors {
      try ImageBuffer(bytes: bytes, width: width, height: height, bytesPerRow: bytesPerRow, pixelFormat: format)
    }
    self.init(imageBuffer: buffer)
  }

  package func snapshot() throws -> ImageSnapshot {
    try ImageSnapshot(try source.get(), orientation: orientation)
  }

  package var time: Duration? { timestamp.flatMap { Duration(clockTime: $0) } }
}

/// A point in an image, in pixels of the stored image.
///
/// Landmarks have such positions.
open class VisionPoint: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class; this one and those below have constants only.

  /// The distance from the left edge.
  public let x: CGFloat
  /// The distance from the top edge.
  public let y: CGFloat

  /// Creates a point. This is an addition to ML Kit's API.
  public init(x: CGFloat, y: CGFloat) {
    self.x = x
    self.y = y
  }
}

/// A point in an image with a depth.
open class Vision3DPoint: VisionPoint, @unchecked Sendable {
  /// The depth, in the scale of `x` and `y`.
  public let z: CGFloat

  /// Creates a point. This is an addition to ML Kit's API.
  public init(x: CGFloat, y: CGFloat, z: CGFloat) {
    self.z = z
    super.init(x: x, y: y)
  }
}

/// An image that detectors and labelers accept: a ``VisionImage``, or an `MLImage`.
public protocol MLKitCompatibleImage: NSObjectProtocol {}

/// An image whose pixels can be read.
package protocol PixelSource: MLKitCompatibleImage {
  /// Returns a snapshot of the image, whose pixels are read when it is processed.
  ///
  /// - Throws: `TaskError` with the reason why it cannot be used.
  func snapshot() throws -> ImageSnapshot

  /// The time when the image was taken, if it is known.
  var time: Duration? { get }
}

extension MLImage: MLKitCompatibleImage {}

extension MLImage: PixelSource {
  package var time: Duration? {
    #if canImport(CoreMedia)
      return sampleBuffer.flatMap { Duration(presentationTimeOf: $0) }
    #else
      return nil
    #endif
  }
}

extension Duration {
  /// The maximum number of seconds: longer than any clock runs, and small enough for a `Duration`.
  private static let maximumTime = 1e15

  /// Creates a duration from seconds; `nil` if the number is not finite or out of range.
  init?(clockTime seconds: TimeInterval) {
    guard (-Self.maximumTime...Self.maximumTime).contains(seconds) else { return nil }
    self = .seconds(seconds)
  }

  #if canImport(CoreMedia)
    /// Creates a duration from the presentation time of a sample buffer; `nil` if it has none.
    init?(presentationTimeOf buffer: CMSampleBuffer) {
      let time = CMSampleBufferGetPresentationTimeStamp(buffer)
      guard time.isNumeric else { return nil }
      self.init(clockTime: time.seconds)
    }
  #endif
}
