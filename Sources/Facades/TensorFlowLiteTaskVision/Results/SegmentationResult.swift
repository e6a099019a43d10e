public import Foundation
import SwiftletBase
import SwiftletImage

/// The label of a class, and a color to draw it in.
public final class ColoredLabel: NSObject, Sendable {
  /// The red component, 0…255.
  public let r: UInt
  /// The green component, 0…255.
  public let g: UInt
  /// The blue component, 0…255.
  public let b: UInt
  /// The name from the model's label file; empty if it has none.
  public let label: String
  /// The name in the requested locale; empty if the model has none.
  public let displayName: String

  /// Creates a label with a color.
  public init(red r: UInt, green g: UInt, blue b: UInt, label: String, displayName: String) {
    self.r = r
    self.g = g
    self.b = b
    self.label = label
    self.displayName = displayName
  }

  /// Returns a label with its color in the PASCAL VOC color map: each group of three bits of the class index, from the
  /// lowest, becomes the next lower bit of red, green, and blue.
  static func numbered(_ index: Int, label: String?, displayName: String?) -> ColoredLabel {
    var color: [UInt] = [0, 0, 0]
    for bit in 0..<8 {
      color[bit % 3] |= UInt(index >> bit & 1) << UInt(7 - bit / 3)
    }
    return ColoredLabel(
      red: color[0], green: color[1], blue: color[2], label: label ?? "", displayName: displayName ?? "")
  }
}

/// The masks of an image: a category mask, or a confidence mask for each class.
public final class Segmentation: NSObject {
  /// The confidence mask of each class, in the order of ``coloredLabels``; `nil` unless requested.
  public let confidenceMasks: [ConfidenceMask]?
  /// The category mask, with indices in ``coloredLabels``; `nil` unless requested.
  public let categoryMask: CategoryMask?
  /// The labels of the classes.
  public let coloredLabels: [ColoredLabel]

  /// Creates a segmentation with confidence masks.
  public init(confidenceMasks: [ConfidenceMask], coloredLabels: [ColoredLabel]) {
    self.confidenceMasks = confidenceMasks
    categoryMask = nil
    self.coloredLabels = coloredLabels
  }

  /// Creates a segmentation with a category mask.
  public init(categoryMask: CategoryMask, coloredLabels: [ColoredLabel]) {
    confidenceMasks = nil
    self.categoryMask = categoryMask
    self.coloredLabels = coloredLabels
  }
}

/// The result of an image segmenter.
public final class SegmentationResult: NSObject {
  /// The segmentations; always one.
  public let segmentations: [Segmentation]

  /// Creates a result.
  public init(segmentations: [Segmentation]) { self.segmentations = segmentations }
}

/// A mask with the confidence of one class for each pixel.
///
/// - Thread safety: the mask owns the memory of the pointer; code that writes to it must synchronize access.
public final class ConfidenceMask: NSObject {
  private let memory: MaskMemory<Float>
  /// The confidences in row-major order; valid as long as the mask is retained.
  public var mask: UnsafeMutablePointer<Float> { memory.first }
  /// The number of pixels per row.
  public let width: Int
  /// The number of rows.
  public let height: Int

  /// Creates a mask from a copy of the confidences, or of zeros if there are none. The mask has no pixels if a size is
  /// negative, or too large for memory.
  public init(width: Int, height: Int, mask: UnsafeMutablePointer<Float>?) {
    (memory, self.width, self.height) = MaskMemory.make(width, height, mask)
  }
}

/// A mask with the class of each pixel.
///
/// - Thread safety: the mask owns the memory of the pointer; code that writes to it must synchronize access.
public final class CategoryMask: NSObject {
  private let memory: MaskMemory<UInt8>
  /// The class indices in row-major order; valid as long as the mask is retained.
  public var mask: UnsafeMutablePointer<UInt8> { memory.first }
  /// The number of pixels per row.
  public let width: Int
  /// The number of rows.
  public let height: Int

  /// Creates a mask from a copy of the class indices, or of zeros if there are none. The mask has no pixels if a size
  /// is negative, or too large for memory.
  public init(width: Int, height: Int, mask: UnsafeMutablePointer<UInt8>?) {
    (memory, self.width, self.height) = MaskMemory.make(width, height, mask)
  }
}

/// The memory of a mask.
private final class MaskMemory<Number: BitwiseCopyable & AdditiveArithmetic> {
  let first: UnsafeMutablePointer<Number>

  /// Allocates the memory of a mask.
  ///
  /// - Returns: Memory with a copy of the elements, and the size that it has room for.
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
