import SwiftletBase
public import Foundation
import SwiftletImage

/// How sure a model is of one class, for each pixel.
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

  /// A mask of copies of numbers; of zeros without any. It has no pixels when a size is negative, or there cannot be
  /// memory for them.
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

  /// A mask of copies of classes; of zeros without any. It has no pixels when a size is negative, or there cannot be
  /// memory for them.
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
