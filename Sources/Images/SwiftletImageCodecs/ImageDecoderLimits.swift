/// How large a picture may be before it is refused.
///
/// A file of a few kilobytes can claim to hold billions of pixels. The claim is checked before memory is taken.
public struct ImageDecoderLimits: Sendable, Hashable {
  /// Largest width in pixels.
  public var maximumWidth = 65_535
  /// Largest height in pixels.
  public var maximumHeight = 65_535
  /// Largest product of width and height.
  public var maximumPixelCount = 100_000_000
  /// Largest file in bytes.
  public var maximumFileByteCount = 512 << 20
  /// Memory that decoding may take besides the pixels, in bytes. Progressive JPEG needs up to six bytes per pixel.
  public var maximumWorkingByteCount = 1 << 30

  /// Limits that pictures of cameras and scanners do not reach.
  public init() {}

  /// 100 megapixels, 65535 pixels in each direction, files up to 512 MiB.
  public static let `default` = ImageDecoderLimits()
}
