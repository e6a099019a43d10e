/// How the bytes of one pixel are laid out in memory, first byte first.
///
/// All formats hold 8 bits per channel. Colour is whatever the picture was encoded in, usually sRGB; no colour
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

  /// How many bytes one pixel occupies.
  public var bytesPerPixel: Int {
    switch self {
    case .gray8: 1
    case .rgb8: 3
    case .rgba8, .bgra8: 4
    }
  }

  /// Whether the fourth byte of a pixel is its opacity.
  public var hasAlpha: Bool { bytesPerPixel == 4 }

  /// The name of the format.
  public var description: String { rawValue }

  /// Where red, green and blue stand within a pixel; all three are the same byte for grey.
  package var colorOffsets: (red: Int, green: Int, blue: Int) {
    switch self {
    case .gray8: (0, 0, 0)
    case .rgb8, .rgba8: (0, 1, 2)
    case .bgra8: (2, 1, 0)
    }
  }
}

extension PixelFormat {
  /// Makes the format that a Core Video pixel format code stands for.
  ///
  /// The codes are the same numbers on every platform, so a picture that arrives from elsewhere with such a code can
  /// be described on Linux too.
  ///
  /// - Parameter code: for example `0x42475241`, the four characters `BGRA`.
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
          accepted are BGRA (32-bit), RGBA (32-bit), 24-bit RGB (24) and 8-bit grey (L008). \
          For bi-planar YUV (420v, 420f) use ImageBuffer(lumaPlane:lumaBytesPerRow:chromaPlane:…)
          """)
    }
  }

  /// A code for people: its four characters where it has any, and its number.
  package static func name(ofCoreVideoCode code: UInt32) -> String {
    let bytes = [UInt8(code >> 24), UInt8(code >> 16 & 0xFF), UInt8(code >> 8 & 0xFF), UInt8(code & 0xFF)]
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return "\(code)" }
    return "'\(String(decoding: bytes, as: UTF8.self))' (0x\(String(code, radix: 16)))"
  }
}
