internal import CImageCodecs
import SwiftletBase
import SwiftletImage

/// An error that occurred while an image file was read or written.
public struct ImageCodecError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error. More kinds may be added, so compare with `==` and keep a default branch.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the kind.
    public let rawValue: String

    /// Creates a kind with this name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The file doesn't exist, can't be opened, or is a directory.
    public static let unreadableFile = Code(rawValue: "unreadableFile")
    /// The bytes aren't an image, or are an image of an unsupported format.
    public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
    /// The bytes end before the image does.
    public static let truncated = Code(rawValue: "truncated")
    /// The bytes violate their format.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The image or the file exceeds the ``ImageDecoderLimits``.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// There is no memory left.
    public static let outOfResources = Code(rawValue: "outOfResources")
    /// A parameter is invalid, such as a quality of 0.
    public static let invalidParameter = Code(rawValue: "invalidParameter")

    /// The name of the kind.
    public var description: String { rawValue }
  }

  /// The kind of error, for code that handles it.
  public let code: Code
  /// A message that describes the problem and the fix.
  public let message: String
  /// The path of the file, if there is one.
  public let path: String?

  /// Creates an error of a kind, with a message that describes the expected and actual values.
  public init(code: Code, message: String, path: String? = nil) {
    self.code = code
    self.message = message.sanitized
    self.path = path
  }

  /// The kind, the file if it is known, and the message.
  public var description: String {
    if let path { "\(code): \(path.excerpt): \(message)" } else { "\(code): \(message)" }
  }

  /// Returns the result of `body`, and converts an error of an image to one of the codecs.
  static func wrapping<Value>(_ body: () throws -> Value) throws(ImageCodecError) -> Value {
    do {
      return try body()
    } catch let error as ImageCodecError {
      throw error
    } catch {
      throw ImageCodecError(code: .limitExceeded, message: "\(error)")
    }
  }

  func naming(_ path: String) -> ImageCodecError {
    ImageCodecError(code: code, message: message, path: path)
  }
}

/// Converts the statuses of the C functions to errors.
enum LibraryStatus {
  /// Returns the error for a status.
  ///
  /// - Parameter info: The known properties of the image, for errors about its size.
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
          the \(format) image exceeds a limit (\(reason)); allowed are \(limits.maximumWidth) × \
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
    // ImageBuffer has a maximum size too.
    let side = PixelLayout.maximumDimension
    self.init(
      maximum_width: UInt32(min(max(limits.maximumWidth, 0), side)),
      maximum_height: UInt32(min(max(limits.maximumHeight, 0), side)),
      maximum_pixels: UInt64(max(limits.maximumPixelCount, 0)),
      maximum_memory: UInt64(max(limits.maximumWorkingByteCount, 1 << 16)))
  }
}
