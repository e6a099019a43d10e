public import Foundation
import SwiftletBase
import SwiftletImage

/// The name of a class, and a color to draw it in.
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

  /// Creates a name and a color.
  public init(red r: UInt, green g: UInt, blue b: UInt, label: String, displayName: String) {
    self.r = r
    self.g = g
    self.b = b
    self.label = label
    self.displayName = displayName
  }

  /// Names with the colors of the PASCAL VOC challenge: three bits of the class number at a time are the next lower
  /// bits of red, green and blue.
  static func numbered(_ index: Int, label: String?, displayName: String?) -> ColoredLabel {
    var color: [UInt] = [0, 0, 0]
    for bit in 0..<8 {
      color[bit % 3] |= UInt(index >> bit & 1) << UInt(7 - bit / 3)
    }
    return ColoredLabel(
      red: color[0], green: color[1], blue: color[2], label: label ?? "", displayName: displayName ?? "")
  }
}

/// The masks of an image: one of categories, or one of confidences for each class.
public final class Segmentation: NSObject {
  /// One for each class, in the order of ``coloredLabels``; `nil` unless they were asked for.
  public let confidenceMasks: [ConfidenceMask]?
  /// The class of each pixel, a position in ``coloredLabels``; `nil` unless it was asked for.
  public let categoryMask: CategoryMask?
  /// The classes.
  public let coloredLabels: [ColoredLabel]

  /// Creates confidence masks.
  public init(confidenceMasks: [ConfidenceMask], coloredLabels: [ColoredLabel]) {
    self.confidenceMasks = confidenceMasks
    categoryMask = nil
    self.coloredLabels = coloredLabels
  }

  /// Creates a mask of categories.
  public init(categoryMask: CategoryMask, coloredLabels: [ColoredLabel]) {
    confidenceMasks = nil
    self.categoryMask = categoryMask
    self.coloredLabels = coloredLabels
  }
}

/// The result of an image segmenter.
public final class SegmentationResult: NSObject {
  /// One.
  public let segmentations: [Segmentation]

  /// Creates the masks of an image.
  public init(segmentations: [Segmentation]) { self.segmentations = segmentations }
}

/// The confidence of one class for each pixel.
///
/// - Thread safety: the pointer's memory is the mask's own; who writes to it has to guard it.
public final class ConfidenceMask: NSObject {
  private let memory: MaskMemory<Float>
  /// The numbers, row after row; valid as long as the mask is held.
  public var mask: UnsafeMutablePointer<Float> { memory.first }
  /// Pixels per row.
  public let width: Int
  /// Rows.
  public let height: Int

  /// Creates a mask of copies of numbers; of zeros without any. It has no pixels when a size is negative, or there
  /// cannot be memory for them.
  public init(width: Int, height: Int, mask: UnsafeMutablePointer<Float>?) {
    (memory, self.width, self.height) = MaskMemory.make(width, height, mask)
  }
}

/// The class of each pixel.
///
/// - Thread safety: the pointer's memory is the mask's own; who writes to it has to guard it.
public final class CategoryMask: NSObject {
  private let memory: MaskMemory<UInt8>
  /// The classes, row after row; valid as long as the mask is held.
  public var mask: UnsafeMutablePointer<UInt8> { memory.first }
  /// Pixels per row.
  public let width: Int
  /// Rows.
  public let height: Int

  /// Creates a mask of copies of classes; of zeros without any. It has no pixels when a size is negative, or there
  /// cannot be memory for them.
  public init(width: Int, height: Int, mask: UnsafeMutablePointer<UInt8>?) {
    (memory, self.width, self.height) = MaskMemory.make(width, height, mask)
  }
}

/// Numbers that live as long as a mask.
private final class MaskMemory<Number: BitwiseCopyable & AdditiveArithmetic> {
  let first: UnsafeMutablePointer<Number>

  /// - Returns: memory with copies of numbers, and the size that it has room for.
  static func make(
    _ width: Int, _ height: Int, _ numbers: UnsafeMutablePointer<Number>?
  ) -> (MaskMemory, width: Int, height: Int) {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, count <= Int.max / MemoryLayout<Number>.stride,
      AvailableMemory.has(count * MemoryLayout<Number>.stride)
    else { return (MaskMemory(0, nil), 0, 0) }
    return (MaskMemory(count, numbers), width, height)
  }

  private init(_ count: Int, _ numbers: UnsafeMutablePointer<Number>?) {
    first = .allocate(capacity: max(count, 1))
    if let numbers {
      first.initialize(from: numbers, count: count)
    } else {
      first.initialize(repeating: .zero, count: max(count, 1))
    }
  }

  deinit { first.deallocate() }
}
