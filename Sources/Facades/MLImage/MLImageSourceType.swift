/// What an ``MLImage`` was made from.
public struct MLImageSourceType: RawRepresentable, Hashable, Sendable {
  /// The number of the type in Google's library.
  public let rawValue: Int

  /// A type of this number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A `UIImage`.
  public static let image = MLImageSourceType(rawValue: 0)
  /// A `CVPixelBuffer`.
  public static let pixelBuffer = MLImageSourceType(rawValue: 1)
  /// A `CMSampleBuffer`.
  public static let sampleBuffer = MLImageSourceType(rawValue: 2)
  /// Pixels in memory: an addition to Google's kinds.
  public static let imageBuffer = MLImageSourceType(rawValue: 3)
}
