internal import CImageCodecs
import SwiftletImage

/// Turns what the C functions report into errors for people.
enum LibraryStatus {
  /// - Parameter info: what is known about the picture, for errors about its size.
  static func error(
    _ error: swiftlet_codec_error, format: String, limits: ImageDecoderLimits, byteCount: Int
  ) -> ImageCodecError {
    var error = error
    let reason = withUnsafeBytes(of: &error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    switch error.status {
    case SWIFTLET_CODEC_TRUNCATED:
      return ImageCodecError(
        code: .truncated,
        message: "the \(format) file ends too early, after \(byteCount) bytes; it was probably not copied completely")
    case SWIFTLET_CODEC_LIMIT:
      return ImageCodecError(
        code: .limitExceeded,
        message: """
          the \(format) picture exceeds a limit (\(reason)); allowed are \(limits.maximumWidth) × \
          \(limits.maximumHeight) pixels, \(limits.maximumPixelCount) in all, and \(limits.maximumWorkingByteCount) \
          bytes of working memory; raise ImageDecoderLimits if the file is trusted
          """)
    case SWIFTLET_CODEC_UNSUPPORTED:
      return ImageCodecError(
        code: .unsupportedFormat, message: "the \(format) file is of a variant that is not supported (\(reason))")
    case SWIFTLET_CODEC_RESOURCES:
      return ImageCodecError(code: .outOfResources, message: "the \(format) library failed (\(reason))")
    default:
      return ImageCodecError(code: .corrupt, message: "the \(format) file is damaged (\(reason))")
    }
  }
}

extension swiftlet_codec_limits {
  init(_ limits: ImageDecoderLimits) {
    // What an ImageBuffer can describe is a limit, too.
    let side = PixelLayout.maximumDimension
    self.init(
      maximum_width: UInt32(min(max(limits.maximumWidth, 0), side)),
      maximum_height: UInt32(min(max(limits.maximumHeight, 0), side)),
      maximum_pixels: UInt64(max(limits.maximumPixelCount, 0)),
      maximum_memory: UInt64(max(limits.maximumWorkingByteCount, 1 << 16)))
  }
}
