import SwiftletImage

/// Reads PNG and JPEG pictures.
///
/// - PNG of every kind is read: 1 to 16 bits, grey, palette, colour, with alpha or a transparent colour, interlaced.
///   16 bits are reduced to the high 8, colours are taken as they are (no gamma, no profile).
/// - JPEG may be baseline or progressive, grey, colour or CMYK; pixels are those of libjpeg's default decoder.
/// - The result is `gray8`, `rgb8` or, if there is transparency, `rgba8` with straight alpha.
///
/// Broken, truncated and hostile files throw one error; nothing is printed, and memory is bounded by the limits.
///
/// - Thread safety: callable concurrently.
public enum ImageDecoder {
  /// Reads a picture file.
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

  /// Reads a picture from the bytes of its file.
  ///
  /// - Throws: ``ImageCodecError`` when the bytes are no intact PNG or JPEG, or the picture exceeds the limits.
  public static func decode(
    bytes: [UInt8], limits: ImageDecoderLimits = .default
  ) throws(ImageCodecError) -> DecodedImage {
    try bytes.withUnsafeBufferPointer { bytes throws(ImageCodecError) in
      try decode(bytes: UnsafeRawBufferPointer(bytes), limits: limits)
    }
  }

  /// Reads a picture from the bytes of its file, which are not kept.
  ///
  /// - Throws: ``ImageCodecError`` when the bytes are no intact PNG or JPEG, or the picture exceeds the limits.
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
