public import Foundation

/// The name of a class, and a colour to draw it in.
public final class ColoredLabel: NSObject, Sendable {
  /// Red, 0…255.
  public let r: UInt
  /// Green, 0…255.
  public let g: UInt
  /// Blue, 0…255.
  public let b: UInt
  /// The name from the model's label file; empty without one.
  public let label: String
  /// The name in the language asked for; empty without one.
  public let displayName: String

  /// A name and a colour.
  public init(red r: UInt, green g: UInt, blue b: UInt, label: String, displayName: String) {
    self.r = r
    self.g = g
    self.b = b
    self.label = label
    self.displayName = displayName
  }

  /// Names with the colours of the PASCAL VOC challenge: three bits of the class number at a time are the next lower
  /// bits of red, green and blue.
  static func numbered(_ index: Int, label: String?, displayName: String?) -> ColoredLabel {
    var colour: [UInt] = [0, 0, 0]
    for bit in 0..<8 {
      colour[bit % 3] |= UInt(index >> bit & 1) << UInt(7 - bit / 3)
    }
    return ColoredLabel(
      red: colour[0], green: colour[1], blue: colour[2], label: label ?? "", displayName: displayName ?? "")
  }
}

/// The masks of a picture: one of categories, or one of confidences for each class.
public final class Segmentation: NSObject {
  /// One for each class, in the order of ``coloredLabels``; `nil` unless they were asked for.
  public let confidenceMasks: [ConfidenceMask]?
  /// The class of each pixel, a position in ``coloredLabels``; `nil` unless it was asked for.
  public let categoryMask: CategoryMask?
  /// The classes.
  public let coloredLabels: [ColoredLabel]

  /// Masks of confidences.
  public init(confidenceMasks: [ConfidenceMask], coloredLabels: [ColoredLabel]) {
    self.confidenceMasks = confidenceMasks
    categoryMask = nil
    self.coloredLabels = coloredLabels
  }

  /// A mask of categories.
  public init(categoryMask: CategoryMask, coloredLabels: [ColoredLabel]) {
    confidenceMasks = nil
    self.categoryMask = categoryMask
    self.coloredLabels = coloredLabels
  }
}

/// What an image segmenter returns.
public final class SegmentationResult: NSObject {
  /// One.
  public let segmentations: [Segmentation]

  /// The masks of a picture.
  public init(segmentations: [Segmentation]) { self.segmentations = segmentations }
}
