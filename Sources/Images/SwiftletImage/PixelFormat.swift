import SwiftletBase

/// The layout of the bytes of one pixel in memory, first byte first.
///
/// All formats hold 8 bits per channel. Color is whatever the image was encoded in, usually sRGB; no color
/// management takes place. Alpha is carried along and ignored by everything that makes tensors.
public enum PixelFormat: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// Red, green, blue.
  case rgb8
  /// Red, green, blue, alpha.
  case rgba8
  /// Blue, green, red, alpha: what Apple's cameras deliver as `kCVPixelFormatType_32BGRA`.
  case bgra8
  /// One channel of brightness.
  case gray8

  /// The size of one pixel in bytes.
  public var bytesPerPixel: Int {
    switch self {
    case .gray8: 1
    case .rgb8: 3
    case .rgba8, .bgra8: 4
    }
  }

  /// A Boolean value that indicates whether the fourth byte of a pixel is its opacity.
  public var hasAlpha: Bool { bytesPerPixel == 4 }

  /// The name of the format.
  public var description: String { rawValue }

  /// Where red, green and blue stand within a pixel; all three are the same byte for gray.
  package var colorOffsets: (red: Int, green: Int, blue: Int) {
    switch self {
    case .gray8: (0, 0, 0)
    case .rgb8, .rgba8: (0, 1, 2)
    case .bgra8: (2, 1, 0)
    }
  }
}

extension PixelFormat {
  /// Creates the format that a Core Video pixel format code stands for.
  ///
  /// The codes are the same numbers on every platform, so an image that arrives from elsewhere with such a code can
  /// be described on Linux too.
  ///
  /// - Parameter code: For example `0x42475241`, the four characters `BGRA`.
  /// - Throws: `ImageError.unsupportedFormat`, which names the code received and those accepted.
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

  /// Returns a code for people: its four characters where it has any, and its number.
  package static func name(ofCoreVideoCode code: UInt32) -> String {
    let bytes = [UInt8(code >> 24), UInt8(code >> 16 & 0xFF), UInt8(code >> 8 & 0xFF), UInt8(code & 0xFF)]
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return "\(code)" }
    return "'\(String(decoding: bytes, as: UTF8.self))' (0x\(String(code, radix: 16)))"
  }
}

/// The shape of an image in memory, checked once so that everything after may index without checking.
package struct PixelLayout: Sendable, Hashable {
  /// Images larger than this in either direction are refused: coordinates in 1/32 pixel stay far inside 32 bits.
  package static let maximumDimension = 1 << 20

  package let width: Int
  package let height: Int
  package let bytesPerRow: Int
  package let pixelFormat: PixelFormat
  /// From the first byte of the first pixel to the last byte of the last one. Padding after the last row is not needed.
  package let byteCount: Int

  /// - Parameter bytesPerRow: Nil for rows that follow each other without padding.
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

  /// Creates the layout of an image without padding that is about to be made.
  ///
  /// - Throws: ``ImageError`` when a size is out of range or there is no memory for it.
  init(fresh width: Int, _ height: Int, _ pixelFormat: PixelFormat) throws(ImageError) {
    try self.init(width: width, height: height, bytesPerRow: nil, pixelFormat: pixelFormat)
    guard AvailableMemory.has(byteCount) else {
      throw ImageError(
        code: .invalidSize,
        message:
          "there is no memory for the \(byteCount) bytes of an image of \(width) × \(height) pixels; use a smaller size"
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
