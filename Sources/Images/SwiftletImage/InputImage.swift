/// An input image of a task: stored pixels and their orientation.
///
/// Results are in coordinates of the stored image.
public struct InputImage: Sendable {
  /// The stored pixels.
  public var buffer: ImageBuffer {
    didSet { storedSize = nil }
  }
  /// The orientation of the stored pixels: the rotation and mirroring that make them upright.
  public var orientation: ImageOrientation
  /// The size of the image that ``buffer`` was scaled down from, if any. Results are in coordinates of that image.
  private var storedSize: (width: Int, height: Int)?

  /// Creates an image from pixels.
  public init(_ buffer: ImageBuffer, orientation: ImageOrientation = .up) {
    self.buffer = buffer
    self.orientation = orientation
  }

  /// Creates an image from packed RGB bytes in row-major order.
  ///
  /// - Throws: ``ImageError`` if there are fewer bytes than `3 × width × height`, or a size is out of range.
  public init(
    rgb bytes: [UInt8], width: Int, height: Int, orientation: ImageOrientation = .up
  ) throws(ImageError) {
    try self.init(ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: .rgb8), orientation: orientation)
  }

  /// Creates an image of `width` × `height` pixels from pixels that were rendered at another size.
  @_spi(Facades)
  public init(_ drawn: ImageBuffer, ofWidth width: Int, height: Int) {
    self.init(drawn)
    storedSize = (width, height)
  }

  /// The width of the stored image in pixels.
  public var width: Int { storedSize?.width ?? buffer.width }
  /// The height of the stored image in pixels.
  public var height: Int { storedSize?.height ?? buffer.height }

  /// Returns the same image with other pixels of the same size as ``buffer``.
  package func replacingPixels(
    _ pixels: (ImageBuffer) throws -> ImageBuffer
  ) rethrows -> InputImage {
    var image = self
    image.buffer = try pixels(buffer)
    image.storedSize = storedSize
    return image
  }
}

/// An upright rectangle in image pixels. Its origin is the upper-left corner, and edges are between pixels.
public typealias PixelRect = UprightBox<Double>
