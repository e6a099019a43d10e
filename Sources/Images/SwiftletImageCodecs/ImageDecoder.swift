public import SwiftletImage

/// A decoder for PNG and JPEG images.
///
/// - All PNG variants are supported: 1 to 16 bits, gray, palette, color, with alpha or a transparent color, interlaced.
///   16-bit values are reduced to the high 8 bits, and colors are used unchanged (no gamma, no profile).
/// - JPEG may be baseline or progressive, and gray, color, or CMYK. The pixels are those of libjpeg's default decoder.
/// - The result is `gray8`, `rgb8`, or, if there is transparency, `rgba8` with straight alpha.
///
/// Corrupt, truncated, and malicious files throw an error. Nothing is printed, and the limits bound the memory.
///
/// - Thread safety: callable concurrently.
public enum ImageDecoder {
  /// Decodes an image file.
  ///
  /// - Throws: ``ImageCodecError`` that names the file, and its actual format if it isn't a PNG or JPEG file.
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

  /// Decodes an image from the bytes of a file.
  ///
  /// - Throws: ``ImageCodecError`` if the bytes aren't a valid PNG or JPEG image, or if the image exceeds the limits.
  public static func decode(
    bytes: [UInt8], limits: ImageDecoderLimits = .default
  ) throws(ImageCodecError) -> DecodedImage {
    try bytes.withUnsafeBufferPointer { bytes throws(ImageCodecError) in
      try decode(bytes: UnsafeRawBufferPointer(bytes), limits: limits)
    }
  }

  /// Decodes an image from the bytes of a file, which aren't retained.
  ///
  /// - Throws: ``ImageCodecError`` if the bytes aren't a valid PNG or JPEG image, or if the image exceeds the limits.
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

/// Limits on the size of a decoded image.
///
/// A file of a few kilobytes can declare billions of pixels. The declared size is checked before memory is allocated.
public struct ImageDecoderLimits: Sendable, Hashable {
  /// The maximum width in pixels.
  public var maximumWidth = 65_535
  /// The maximum height in pixels.
  public var maximumHeight = 65_535
  /// The maximum number of pixels.
  public var maximumPixelCount = 100_000_000
  /// The maximum file size in bytes.
  public var maximumFileByteCount = 512 << 20
  /// The maximum memory for decoding, in bytes, in addition to the pixels. Progressive JPEG needs up to six bytes per
  /// pixel.
  public var maximumWorkingByteCount = 1 << 30

  /// Creates limits that are higher than the images of cameras and scanners.
  public init() {}

  /// The default limits: 100 megapixels, 65535 pixels in each direction, and files up to 512 MiB.
  public static let `default` = ImageDecoderLimits()
}

/// An image as stored in a file, with its orientation.
public struct DecodedImage: Sendable {
  /// The pixels as stored in the file, not rotated.
  public let image: ImageBuffer
  /// The orientation in the file's metadata (EXIF); `up` if it is missing or invalid.
  public let orientation: ImageOrientation
  /// The format of the file.
  public let format: ImageFileFormat

  /// Creates a decoded image.
  public init(image: ImageBuffer, orientation: ImageOrientation, format: ImageFileFormat) {
    self.image = image
    self.orientation = orientation
    self.format = format
  }

  /// Returns the image rotated upright.
  ///
  /// - Throws: `ImageError` if the copy is too large to address.
  public func uprightImage() throws(ImageError) -> ImageBuffer {
    try image.oriented(orientation)
  }
}

extension InputImage {
  /// Creates an image from a PNG or JPEG file, with the orientation of its EXIF data.
  ///
  /// - Throws: ``ImageCodecError`` if the file can't be read, isn't an intact PNG or JPEG file, or exceeds the
  ///   limits.
  public init(contentsOfFile path: String, limits: ImageDecoderLimits = .default) throws(ImageCodecError) {
    self.init(try ImageDecoder.decode(path: path, limits: limits))
  }

  /// Creates an image from the bytes of a PNG or JPEG file, with the orientation of its EXIF data.
  ///
  /// - Throws: ``ImageCodecError`` if the bytes aren't an intact PNG or JPEG file, or exceed the limits.
  public init(encoded bytes: some Collection<UInt8>, limits: ImageDecoderLimits = .default) throws(ImageCodecError) {
    self.init(try ImageDecoder.decode(bytes: Array(bytes), limits: limits))
  }

  /// Creates an image from a decoded file.
  public init(_ decoded: DecodedImage) { self.init(decoded.image, orientation: decoded.orientation) }
}
