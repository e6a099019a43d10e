@_spi(Facades) package import SwiftletVision

#if canImport(UIKit)
  /// The orientation of the stored pixels of ``VisionImage``.
  public typealias VisionImageOrientation = UIImage.Orientation
#else
  /// The orientation of the stored pixels of ``VisionImage``; `UIImage.Orientation` where there is UIKit, with the same
  /// names.
  public typealias VisionImageOrientation = ImageOrientation
#endif

/// An image for a detector or labeler: its pixels, and how they have to be turned to stand upright.
///
/// Models see the upright image; the frames of results refer to the image as it is stored.
///
/// Where there is UIKit or Core Media, images are made from their types as with ML Kit. On every platform they are
/// made from bytes:
///
/// ```swift
/// let image = try VisionImage(bgra: bytes, width: 640, height: 480, bytesPerRow: 2560)
/// image.orientation = .right
/// ```
open class VisionImage: NSObject, MLKitCompatibleImage, PixelSource {
  /// The orientation of the stored pixels.
  open var orientation = VisionImageOrientation.up
  /// When the image was taken, in seconds on any clock: an addition to ML Kit's interface. Sample buffers bring it
  /// along; images without it, and those with one that is no number, are taken as of the moment when the detector is
  /// asked.
  open var timestamp: TimeInterval?
  private let source: Result<any ImageSource, TaskError>

  // MARK: Initializers. Here, not in extensions: classes that are derived from this one inherit them.

  /// Creates an image of pixels in memory: an addition to ML Kit's interface, as all initializers from bytes.
  public init(imageBuffer: ImageBuffer) { source = .success(ImageBufferSource(imageBuffer)) }

  #if canImport(UIKit)
    /// Creates an image of a `UIImage` with a bitmap behind it; set ``orientation`` from its `imageOrientation`.
    ///
    /// The pixels are read when the image's turn has come. Detectors and labelers throw for an image without a bitmap.
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
    /// Creates an image of a sample buffer that holds pixels: 32-bit BGRA or RGBA, 24-bit RGB, 8 bits of one component,
    /// or 8-bit bi-planar 4:2:0 of full or video range.
    ///
    /// The pixels are read when the image's turn has come; until then the buffer is held and must not be written to,
    /// so keep few of these. Other formats, and compressed samples, throw then.
    public init(buffer: CMSampleBuffer) {
      source = Result { () throws(TaskError) in try SampleBufferSource(buffer) }
      let time = CMSampleBufferGetPresentationTimeStamp(buffer)
      if time.isNumeric { timestamp = time.seconds }
    }
  #endif

  /// Creates an image of red, green, blue and alpha bytes, row after row from the top; colors are not multiplied by
  /// alpha.
  ///
  /// - Parameters:
  ///   - bytes: all rows of pixels.
  ///   - width: in pixels.
  ///   - height: in pixels.
  ///   - bytesPerRow: from the beginning of one row to that of the next; `nil` for rows without padding.
  /// - Throws: `MLKitError` (`invalidArgument`) when there are too few bytes, or a size is out of range.
  public convenience init(rgba bytes: [UInt8], width: Int, height: Int, bytesPerRow: Int? = nil) throws {
    try self.init(bytes, width, height, bytesPerRow, .rgba8)
  }

  /// Creates an image of blue, green, red and alpha bytes, row after row from the top; colors are not multiplied by
  /// alpha.
  ///
  /// - Parameters:
  ///   - bytes: all rows of pixels.
  ///   - width: in pixels.
  ///   - height: in pixels.
  ///   - bytesPerRow: from the beginning of one row to that of the next; `nil` for rows without padding.
  /// - Throws: `MLKitError` (`invalidArgument`) when there are too few bytes, or a size is out of range.
  public convenience init(bgra bytes: [UInt8], width: Int, height: Int, bytesPerRow: Int? = nil) throws {
    try self.init(bytes, width, height, bytesPerRow, .bgra8)
  }

  /// Creates an image of red, green and blue bytes, row after row from the top.
  ///
  /// - Parameters:
  ///   - bytes: all rows of pixels.
  ///   - width: in pixels.
  ///   - height: in pixels.
  ///   - bytesPerRow: from the beginning of one row to that of the next; `nil` for rows without padding.
  /// - Throws: `MLKitError` (`invalidArgument`) when there are too few bytes, or a size is out of range.
  public convenience init(rgb bytes: [UInt8], width: Int, height: Int, bytesPerRow: Int? = nil) throws {
    try self.init(bytes, width, height, bytesPerRow, .rgb8)
  }

  /// Creates an image of the two planes of cameras' 4:2:0 images (NV12, `420v`, `420f`): brightness, and a pair of
  /// color differences, blue first, for every 2 × 2 pixels.
  ///
  /// - Parameters:
  ///   - y: brightness, one byte per pixel.
  ///   - uv: color differences, two bytes per 2 × 2 pixels.
  ///   - width: in pixels of the image.
  ///   - height: in pixels of the image.
  ///   - yBytesPerRow: from one row of brightness to the next; `nil` for rows without padding.
  ///   - uvBytesPerRow: from one row of color differences to the next; `nil` for rows without padding.
  ///   - range: `.video` for `420v`, `.full` for `420f`.
  ///   - matrix: `.bt601` for standard definition and most still images, `.bt709` for high definition, `.bt2020` for
  ///     ultra-high definition.
  /// - Throws: `MLKitError` (`invalidArgument`) when a plane has too few bytes, or a size is out of range.
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

/// A point in an image, in pixels of it as it is stored.
///
/// Detectors of landmarks give such points in ML Kit. Those of this package give none; the class is there for code that
/// names it.
open class VisionPoint: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked; this one and those below have constants only.

  /// From the left edge.
  public let x: CGFloat
  /// From the top edge.
  public let y: CGFloat

  /// Creates a point at this place: an addition to ML Kit's interface.
  public init(x: CGFloat, y: CGFloat) {
    self.x = x
    self.y = y
  }
}

/// A point in an image that has a depth too.
open class Vision3DPoint: VisionPoint, @unchecked Sendable {
  /// The depth, in the scale of `x` and `y`.
  public let z: CGFloat

  /// Creates a point at this place: an addition to ML Kit's interface.
  public init(x: CGFloat, y: CGFloat, z: CGFloat) {
    self.z = z
    super.init(x: x, y: y)
  }
}

/// An image that detectors and labelers accept: a ``VisionImage``, or an `MLImage`.
public protocol MLKitCompatibleImage: NSObjectProtocol {}

/// An image whose pixels can be read.
package protocol PixelSource: MLKitCompatibleImage {
  /// The image as it is now, to be read when its turn has come.
  ///
  /// - Throws: `TaskError` that says why it cannot be used.
  func snapshot() throws -> ImageSnapshot

  /// When the image was taken, if it is known.
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
  /// Longer than any clock runs, and short enough to be counted.
  private static let maximumTime = 1e15

  /// Creates a time in seconds; `nil` for what is no number, and for times that no clock shows.
  init?(clockTime seconds: TimeInterval) {
    guard (-Self.maximumTime...Self.maximumTime).contains(seconds) else { return nil }
    self = .seconds(seconds)
  }

  #if canImport(CoreMedia)
    /// When a sample buffer's image was taken, if it says so.
    init?(presentationTimeOf buffer: CMSampleBuffer) {
      let time = CMSampleBufferGetPresentationTimeStamp(buffer)
      guard time.isNumeric else { return nil }
      self.init(clockTime: time.seconds)
    }
  #endif
}
