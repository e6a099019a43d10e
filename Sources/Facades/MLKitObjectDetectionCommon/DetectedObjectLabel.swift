/// The texts of the coarse categories that ML Kit's own classifier gives.
///
/// This package brings no such classifier; the names are for one that the app configures
/// (``ObjectDetectorOptions/coarseClassifierModel``).
public struct DetectedObjectLabel: RawRepresentable, Sendable, Hashable {
  /// The text of the label.
  public let rawValue: String

  /// A label of this text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Clothes, shoes and what is worn with them.
  public static let fashionGood = DetectedObjectLabel(rawValue: "Fashion good")
  /// Furniture and what is used at home.
  public static let homeGood = DetectedObjectLabel(rawValue: "Home good")
  /// Food and drinks.
  public static let food = DetectedObjectLabel(rawValue: "Food")
  /// Buildings and places.
  public static let place = DetectedObjectLabel(rawValue: "Place")
  /// Plants.
  public static let plant = DetectedObjectLabel(rawValue: "Plant")
}

/// The indices of the coarse categories that ML Kit's own classifier gives.
public struct DetectedObjectLabelIndex: RawRepresentable, Sendable, Hashable {
  /// The number of the label.
  public let rawValue: Int

  /// A label of this number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Clothes, shoes and what is worn with them.
  public static let fashionGood = DetectedObjectLabelIndex(rawValue: 0)
  /// Furniture and what is used at home.
  public static let homeGood = DetectedObjectLabelIndex(rawValue: 1)
  /// Food and drinks.
  public static let food = DetectedObjectLabelIndex(rawValue: 2)
  /// Buildings and places.
  public static let place = DetectedObjectLabelIndex(rawValue: 3)
  /// Plants.
  public static let plant = DetectedObjectLabelIndex(rawValue: 4)
}
