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

#if canImport(ObjectiveC)
  /// The constants of ``MPImageSourceType`` for Objective-C, which knows no structs of Swift.
  @available(swift, obsoleted: 1.0, message: "Use MPImageSourceType.")
  @objc(MPPImageSourceType)
  public enum MPImageSourceTypeConstant: Int {
    /// A `UIImage`.
    case image = 0
    /// A `CVPixelBuffer`.
    case pixelBuffer = 1
    /// A `CMSampleBuffer`.
    case sampleBuffer = 2
    /// Bytes or an `ImageBuffer`: an addition to MediaPipe's kinds.
    case imageBuffer = 3
  }

  extension MPImage {
    /// ``imageSourceType`` for Objective-C.
    @available(swift, obsoleted: 1.0, message: "Use imageSourceType.")
    @objc(imageSourceType)
    public var imageSourceTypeConstant: MPImageSourceTypeConstant {
      .init(rawValue: source.kind.rawValue) ?? .imageBuffer
    }
  }
#endif
