/// What an ``MPImage`` was made from.
public struct MPImageSourceType: RawRepresentable, Hashable, Sendable {
  /// The number of the type in MediaPipe.
  public let rawValue: Int

  /// A type of this number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A `UIImage`.
  public static let image = MPImageSourceType(rawValue: 0)
  /// A `CVPixelBuffer`.
  public static let pixelBuffer = MPImageSourceType(rawValue: 1)
  /// A `CMSampleBuffer`.
  public static let sampleBuffer = MPImageSourceType(rawValue: 2)
  /// Bytes or an `ImageBuffer`: an addition to MediaPipe's kinds.
  public static let imageBuffer = MPImageSourceType(rawValue: 3)
}
