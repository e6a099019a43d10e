public import SwiftletImage

/// Reads PNG and JPEG images.
///
/// - PNG of every kind is read: 1 to 16 bits, gray, palette, color, with alpha or a transparent color, interlaced.
///   16 bits are reduced to the high 8, colors are taken as they are (no gamma, no profile).
/// - JPEG may be baseline or progressive, gray, color or CMYK; pixels are those of libjpeg's default decoder.
/// - The result is `gray8`, `rgb8` or, if there is transparency, `rgba8` with straight alpha.
///
/// Broken, truncated and hostile files throw one error; nothing is printed, and memory is bounded by the limits.
///
/// - Thread safety: callable concurrently.
public enum ImageDecoder {
  /// Reads an image file.
  ///
  /// - Throws: ``ImageCodecError`` that names the file, and what it is if it is no PNG or JPEG.
  public static func decode(
    path: String, limits: ImageDecoderLimits = .default
  ) throws(ImageCodecError) -> DecodedImage {
    let bytes = try FileBytes.read(path: path, maximumByteCount: limits.maximumFileByteCount)
    do {
      return try decode(bytes: bytes, limits: limits)
    } catch {
      throw error.naming(path)
    }
  }

  /// Reads an image from the bytes of its file.
  ///
  /// - Throws: ``ImageCodecError`` when the bytes are no intact PNG or JPEG, or the image exceeds the limits.
  public static func decode(
    bytes: [UInt8], limits: ImageDecoderLimits = .default
  ) throws(ImageCodecError) -> DecodedImage {
    try bytes.withUnsafeBufferPointer { bytes throws(ImageCodecError) in
      try decode(bytes: UnsafeRawBufferPointer(bytes), limits: limits)
    }
  }

  /// Reads an image from the bytes of its file, which are not kept.
  ///
  /// - Throws: ``ImageCodecError`` when the bytes are no intact PNG or JPEG, or the image exceeds the limits.
  public static func decode(
    bytes: UnsafeRawBufferPointer, limits: ImageDecoderLimits = .default
  ) throws(ImageCodecError) -> DecodedImage {
    let format = try ImageFileFormat(detecting: bytes)
    let image = try ImageCodecError.wrapping {
      switch format {
      case .png: try PNGDecoder.decode(bytes, limits)
      case .jpeg: try JPEGDecoder.decode(bytes, limits)
      }
    }
    let orientation = ExifLocator.exif(in: bytes, format: format).flatMap(ExifReader.orientation(in:)) ?? .up
    return DecodedImage(image: image, orientation: orientation, format: format)
  }
}

/// The limits for the size of an image.
///
/// A file of a few kilobytes can claim to hold billions of pixels. The claim is checked before memory is taken.
public struct ImageDecoderLimits: Sendable, Hashable {
  /// Largest width in pixels.
  public var maximumWidth = 65_535
  /// Largest height in pixels.
  public var maximumHeight = 65_535
  /// Largest product of width and height.
  public var maximumPixelCount = 100_000_000
  /// Largest file in bytes.
  public var maximumFileByteCount = 512 << 20
  /// Memory that decoding may take besides the pixels, in bytes. Progressive JPEG needs up to six bytes per pixel.
  public var maximumWorkingByteCount = 1 << 30

  /// Creates limits that images of cameras and scanners do not reach.
  public init() {}

  /// 100 megapixels, 65535 pixels in each direction, files up to 512 MiB.
  public static let `default` = ImageDecoderLimits()
}

/// An image as it is stored in its file, and how it has to be turned to stand upright.
public struct DecodedImage: Sendable {
  /// The pixels in the order of the file: not turned.
  public let image: ImageBuffer
  /// The orientation in the file's metadata (EXIF); `up` if it says nothing, or nothing valid.
  public let orientation: ImageOrientation
  /// The format of the file.
  public let format: ImageFileFormat

  /// Creates an image with what its file says about it.
  public init(image: ImageBuffer, orientation: ImageOrientation, format: ImageFileFormat) {
    self.image = image
    self.orientation = orientation
    self.format = format
  }

  /// Returns the image turned upright.
  ///
  /// - Throws: `ImageError` if the copy is too large to address.
  public func uprightImage() throws(ImageError) -> ImageBuffer {
    try image.oriented(orientation)
  }
}

extension InputImage {
  /// Creates an image from a PNG or JPEG file, with the orientation of its EXIF data.
  ///
  /// - Throws: ``ImageCodecError`` if the file cannot be read, is not an intact PNG or JPEG file, or exceeds the
  ///   limits.
  public init(contentsOfFile path: String, limits: ImageDecoderLimits = .default) throws(ImageCodecError) {
    self.init(try ImageDecoder.decode(path: path, limits: limits))
  }

  /// Creates an image from the bytes of a PNG or JPEG file, with the orientation of its EXIF data.
  ///
  /// - Throws: ``ImageCodecError`` if the bytes are not an intact PNG or JPEG file, or exceed the limits.
  public init(encoded bytes: some Collection<UInt8>, limits: ImageDecoderLimits = .default) throws(ImageCodecError) {
    self.init(try ImageDecoder.decode(bytes: Array(bytes), limits: limits))
  }

  /// Creates an image from a decoded file.
  public init(_ decoded: DecodedImage) { self.init(decoded.image, orientation: decoded.orientation) }
}
