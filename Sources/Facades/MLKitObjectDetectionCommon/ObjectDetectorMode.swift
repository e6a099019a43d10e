/// How pictures come to a detector, with ML Kit's raw values.
public struct ObjectDetectorMode: RawRepresentable, Sendable, Hashable {
  /// The number of the mode in ML Kit.
  public let rawValue: Int

  /// A mode of this number. Detectors refuse numbers without a mode.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Pictures that have nothing to do with each other. Every result is complete, and objects have no IDs.
  public static let singleImage = ObjectDetectorMode(rawValue: 0)
  /// The frames of a camera or a video. Objects have IDs by which they can be followed; their labels may come some
  /// frames later.
  public static let stream = ObjectDetectorMode(rawValue: 1)

  /// Returns whether the mode is a stream's.
  ///
  /// - Throws: `MLKitError` for a value that is no mode.
  func isStream() throws(MLKitError) -> Bool {
    switch self {
    case .singleImage: return false
    case .stream: return true
    default:
      throw MLKitError(
        .invalidArgument, "there is no detector mode \(rawValue); give .singleImage (0) or .stream (1)")
    }
  }
}
