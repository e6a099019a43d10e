internal import CImageCodecs
import SwiftletImage

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
    // CMYK passes through a picture of four bytes per pixel, which happens to be called RGBA until it is converted.
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

  /// Printing colours to RGB, without a profile: each channel is the light that neither its ink nor black absorbs.
  ///
  /// Stored values are inverted, 255 for no ink, as every program since Photoshop writes them.
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
