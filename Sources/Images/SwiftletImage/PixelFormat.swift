import SwiftletBase

/// The memory layout of one pixel, first byte first.
///
/// All formats have 8 bits per channel. The color space is that of the image, usually sRGB; there is no color
/// management. Alpha is preserved, and ignored when tensors are created.
public enum PixelFormat: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// Red, green, blue.
  case rgb8
  /// Red, green, blue, alpha.
  case rgba8
  /// Blue, green, red, alpha: the `kCVPixelFormatType_32BGRA` format of Apple's cameras.
  case bgra8
  /// One luma channel.
  case gray8

  /// The size of one pixel in bytes.
  public var bytesPerPixel: Int {
    switch self {
    case .gray8: 1
    case .rgb8: 3
    case .rgba8, .bgra8: 4
    }
  }

  /// A Boolean value that indicates whether the fourth byte of a pixel is its alpha.
  public var hasAlpha: Bool { bytesPerPixel == 4 }

  /// The name of the format.
  public var description: String { rawValue }

  /// The byte offsets of red, green, and blue within a pixel; all three are the same for gray.
  package var colorOffsets: (red: Int, green: Int, blue: Int) {
    switch self {
    case .gray8: (0, 0, 0)
    case .rgb8, .rgba8: (0, 1, 2)
    case .bgra8: (2, 1, 0)
    }
  }
}

extension PixelFormat {
  /// Creates a format from a Core Video pixel format code.
  ///
  /// The codes are the same numbers on every platform, so code on Linux can also describe an image that arrives with
  /// such a code.
  ///
  /// - Parameter code: The code, for example `0x42475241`, the four characters `BGRA`.
  /// - Throws: `ImageError.unsupportedFormat`, which names the code and the supported codes.
  public init(coreVideoCode code: UInt32) throws(ImageError) {
    switch code {
    case 0x4247_5241: self = .bgra8
    case 0x5247_4241: self = .rgba8
    case 0x0000_0018: self = .rgb8
    case 0x4C30_3038: self = .gray8
    default:
      throw ImageError(
        code: .unsupportedFormat,
        message: """
          pixel format \(Self.name(ofCoreVideoCode: code)) is not supported here; \
          accepted are BGRA (32-bit), RGBA (32-bit), 24-bit RGB (24) and 8-bit gray (L008). \
          For bi-planar YUV (420v, 420f) use ImageBuffer(lumaPlane:lumaBytesPerRow:chromaPlane:…)
          """)
    }
  }

  /// Returns a readable form of a code: its four characters, if they are printable, and its number.
  package static func name(ofCoreVideoCode code: UInt32) -> String {
    let bytes = [UInt8(code >> 24), UInt8(code >> 16 & 0xFF), UInt8(code >> 8 & 0xFF), UInt8(code & 0xFF)]
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return "\(code)" }
    return "'\(String(decoding: bytes, as: UTF8.self))' (0x\(String(code, radix: 16)))"
  }
}

/// The layout of an image in memory, validated once so that later code can index without checks.
package struct PixelLayout: Sendable, Hashable {
  /// The maximum width and height. It keeps coordinates in units of 1/32 pixel far inside 32 bits.
  package static let maximumDimension = 1 << 20

  package let width: Int
  package let height: Int
  package let bytesPerRow: Int
  package let pixelFormat: PixelFormat
  /// The number of bytes from the first byte of the first pixel to the last byte of the last pixel. Padding after the
  /// last row isn't required.
  package let byteCount: Int

  /// Creates a layout.
  ///
  /// - Parameter bytesPerRow: The distance between rows in bytes, or nil for rows without padding.
  package init(width: Int, height: Int, bytesPerRow: Int?, pixelFormat: PixelFormat) throws(ImageError) {
    guard (1...Self.maximumDimension).contains(width), (1...Self.maximumDimension).contains(height) else {
      throw ImageError(
        code: .invalidSize,
        message: """
          an image of \(width) × \(height) pixels cannot be described; \
          width and height must each be in 1…\(Self.maximumDimension)
          """)
    }
    let rowBytes = width * pixelFormat.bytesPerPixel
    let stride = bytesPerRow ?? rowBytes
    guard stride >= rowBytes else {
      throw ImageError(
        code: .invalidStride,
        message: """
          bytesPerRow is \(stride), but a row of \(width) pixels in \(pixelFormat) \
          (\(pixelFormat.bytesPerPixel) bytes each) takes at least \(rowBytes); pass the distance in bytes from one \
          row to the next
          """)
    }
    let (before, overflow) = stride.multipliedReportingOverflow(by: height - 1)
    let (total, overflowAtEnd) = before.addingReportingOverflow(rowBytes)
    guard !overflow, !overflowAtEnd else {
      throw ImageError(
        code: .invalidSize,
        message: "\(height) rows of \(stride) bytes are more than this machine can address")
    }
    self.width = width
    self.height = height
    self.bytesPerRow = stride
    self.pixelFormat = pixelFormat
    byteCount = total
  }

  /// Creates the layout, without row padding, of a new image.
  ///
  /// - Throws: ``ImageError`` if a size is out of range, or if there is no memory for the image.
  init(fresh width: Int, _ height: Int, _ pixelFormat: PixelFormat) throws(ImageError) {
    try self.init(width: width, height: height, bytesPerRow: nil, pixelFormat: pixelFormat)
    guard AvailableMemory.has(byteCount) else {
      throw ImageError(
        code: .invalidSize,
        message:
          "cannot allocate \(byteCount) bytes for an image of \(width) × \(height) pixels; use a smaller size"
      )
    }
  }

  package func requireBytes(_ available: Int) throws(ImageError) {
    guard available >= byteCount else {
      throw ImageError(
        code: .tooFewBytes,
        message: """
          \(width) × \(height) pixels of \(pixelFormat) with \(bytesPerRow) bytes per row need \(byteCount) bytes, \
          but \(available) were given; check width, height, bytesPerRow and the pixel format
          """)
    }
  }
}
