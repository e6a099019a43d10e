internal import CImageCodecs
import SwiftletImage

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
