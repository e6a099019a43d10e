internal import CImageCodecs
public import SwiftletImage

enum JPEGDecoder {
  static func decode(_ bytes: UnsafeRawBufferPointer, _ limits: ImageDecoderLimits) throws -> ImageBuffer {
    var error = swiftlet_codec_error()
    var info = swiftlet_codec_info()
    var libraryLimits = swiftlet_codec_limits(limits)
    let start = bytes.bindMemory(to: UInt8.self)
    guard let reader = swiftlet_jpeg_reader_create(start.baseAddress, start.count, &libraryLimits, &info, &error)
    else {
      throw LibraryStatus.error(error, format: "JPEG", limits: limits, byteCount: bytes.count)
    }
    defer { swiftlet_jpeg_reader_destroy(reader) }
    // A CMYK image has four bytes per pixel. It is stored as RGBA until it is converted.
    let format: PixelFormat = info.is_cmyk != 0 ? .rgba8 : info.channels == 1 ? .gray8 : .rgb8
    let image = try ImageBuffer(
      width: Int(info.width), height: Int(info.height), pixelFormat: format,
      reading: { target in
        let pixels = target.bindMemory(to: UInt8.self)
        guard swiftlet_jpeg_reader_read(reader, pixels.baseAddress, &error) == SWIFTLET_CODEC_OK else {
          throw LibraryStatus.error(error, format: "JPEG", limits: limits, byteCount: bytes.count)
        }
      })
    return info.is_cmyk != 0 ? try colors(ofInvertedCMYK: image) : image
  }

  /// Converts CMYK to RGB without a profile: each channel is the light absorbed by neither its ink nor black.
  ///
  /// Stored values are inverted (255 for no ink), as written by all programs since Photoshop.
  private static func colors(ofInvertedCMYK image: ImageBuffer) throws -> ImageBuffer {
    try image.withUnsafeBytes { source in
      try ImageBuffer(width: image.width, height: image.height, pixelFormat: .rgb8) { target in
        for pixel in 0..<image.width * image.height {
          let light = Int(source[4 * pixel + 3])
          for channel in 0..<3 {
            let product = (255 - Int(source[4 * pixel + channel])) * light + 128
            let taken = ((product >> 8) + product) >> 8
            target[3 * pixel + channel] = UInt8(max(light - taken, 0))
          }
        }
      }
    }
  }
}

enum PNGDecoder {
  static func decode(_ bytes: UnsafeRawBufferPointer, _ limits: ImageDecoderLimits) throws -> ImageBuffer {
    var error = swiftlet_codec_error()
    var info = swiftlet_codec_info()
    var libraryLimits = swiftlet_codec_limits(limits)
    let start = bytes.bindMemory(to: UInt8.self)
    guard let reader = swiftlet_png_reader_create(start.baseAddress, start.count, &libraryLimits, &info, &error) else {
      throw LibraryStatus.error(error, format: "PNG", limits: limits, byteCount: bytes.count)
    }
    defer { swiftlet_png_reader_destroy(reader) }
    let format: PixelFormat =
      switch info.channels {
      case 1: .gray8
      case 3: .rgb8
      default: .rgba8
      }
    return try ImageBuffer(
      width: Int(info.width), height: Int(info.height), pixelFormat: format,
      reading: { target in
        let pixels = target.bindMemory(to: UInt8.self)
        guard swiftlet_png_reader_read(reader, pixels.baseAddress, &error) == SWIFTLET_CODEC_OK else {
          throw LibraryStatus.error(error, format: "PNG", limits: limits, byteCount: bytes.count)
        }
      })
  }
}

/// An encoder for PNG and JPEG images.
///
/// - Thread safety: callable concurrently.
public enum ImageEncoder {
  /// Encodes an image as lossless PNG: gray, color, or color with alpha, depending on the image.
  ///
  /// - Returns: The bytes of the file.
  /// - Throws: ``ImageCodecError`` if there isn't enough memory.
  public static func encodePNG(_ image: ImageBuffer) throws(ImageCodecError) -> [UInt8] {
    let source = image.pixelFormat == .bgra8 ? try converted(image, to: .rgba8) : image
    return try encode(source, format: "PNG") { pixels, bytes, count, error in
      swiftlet_png_encode(
        pixels, UInt32(source.width), UInt32(source.height), source.bytesPerRow,
        UInt32(source.pixelFormat.bytesPerPixel), bytes, count, error)
    }
  }

  /// Encodes an image as baseline JPEG with chroma at half resolution. Alpha is dropped.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - quality: The quality, from 1 (smallest file) to 100 (best image).
  /// - Returns: The bytes of the file.
  /// - Throws: ``ImageCodecError`` if the quality is out of range, if the image is wider or higher than 65500 pixels,
  ///   or if there isn't enough memory.
  public static func encodeJPEG(_ image: ImageBuffer, quality: Int = 90) throws(ImageCodecError) -> [UInt8] {
    guard (1...100).contains(quality) else {
      throw ImageCodecError(code: .invalidParameter, message: "JPEG quality is \(quality); it must be in 1…100")
    }
    let source = image.pixelFormat.hasAlpha ? try converted(image, to: .rgb8) : image
    return try encode(source, format: "JPEG") { pixels, bytes, count, error in
      swiftlet_jpeg_encode(
        pixels, UInt32(source.width), UInt32(source.height), source.bytesPerRow,
        UInt32(source.pixelFormat.bytesPerPixel), Int32(quality), bytes, count, error)
    }
  }

  private static func converted(_ image: ImageBuffer, to format: PixelFormat) throws(ImageCodecError) -> ImageBuffer {
    try ImageCodecError.wrapping { try image.converted(to: format) }
  }

  private static func encode(
    _ image: ImageBuffer, format: String,
    _ body: (
      UnsafePointer<UInt8>?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>,
      UnsafeMutablePointer<swiftlet_codec_error>
    ) -> swiftlet_codec_status
  ) throws(ImageCodecError) -> [UInt8] {
    var encoded: UnsafeMutablePointer<UInt8>?
    var count = 0
    var error = swiftlet_codec_error()
    let status = image.withUnsafeBytes { body($0.bindMemory(to: UInt8.self).baseAddress, &encoded, &count, &error) }
    defer { swiftlet_codec_free(encoded) }
    guard status == SWIFTLET_CODEC_OK, let encoded else {
      let reason = withUnsafeBytes(of: &error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      throw ImageCodecError(
        code: status == SWIFTLET_CODEC_LIMIT ? .limitExceeded : .outOfResources,
        message: "\(image.width) × \(image.height) pixels cannot be written as \(format): \(reason)")
    }
    return Array(UnsafeBufferPointer(start: encoded, count: count))
  }
}
