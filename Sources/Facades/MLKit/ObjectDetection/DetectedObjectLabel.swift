/// The texts of the coarse categories that ML Kit's own classifier gives.
///
/// This package brings no such classifier; the names are for one that the app configures
/// (``ObjectDetectorOptions/coarseClassifierModel``).
public struct DetectedObjectLabel: RawRepresentable, Sendable, Hashable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let fashionGood = DetectedObjectLabel(rawValue: "Fashion good")
  public static let homeGood = DetectedObjectLabel(rawValue: "Home good")
  public static let food = DetectedObjectLabel(rawValue: "Food")
  public static let place = DetectedObjectLabel(rawValue: "Place")
  public static let plant = DetectedObjectLabel(rawValue: "Plant")
}

/// The indices of the coarse categories that ML Kit's own classifier gives.
public struct DetectedObjectLabelIndex: RawRepresentable, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let fashionGood = DetectedObjectLabelIndex(rawValue: 0)
  public static let homeGood = DetectedObjectLabelIndex(rawValue: 1)
  public static let food = DetectedObjectLabelIndex(rawValue: 2)
  public static let place = DetectedObjectLabelIndex(rawValue: 3)
  public static let plant = DetectedObjectLabelIndex(rawValue: 4)
}
