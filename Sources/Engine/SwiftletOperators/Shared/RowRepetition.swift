import SwiftletEngine

/// A short row that meets every row of the other operand, written out several times, so that a kernel gets rows worth a
/// loop.
///
/// Three channels, for example, subtracted from every pixel of an image.
struct RowRepetition: Sendable {
  private enum Side { case left, right }

  private let side: Side
  private let columns: Int
  private let sizes: BinaryRowKernel.ElementSizes
  /// How many rows become one.
  let rows: Int

  /// Elements of the written-out row.
  private var elements: Int { columns &* rows }
  /// Bytes of an element of the short row.
  private var elementBytes: Int { side == .left ? sizes.left : sizes.right }
  /// Bytes of the written-out row.
  var byteCount: Int { elements &* elementBytes }

  /// `nil` where it would not pay, or where the short row is not the same everywhere.
  init?(_ broadcast: Broadcast, _ sizes: BinaryRowKernel.ElementSizes) {
    self.sizes = sizes
    columns = broadcast.columns
    rows = 256 / max(1, columns)
    let (left, right) = (broadcast.operands[0], broadcast.operands[1])
    guard broadcast.outer.isEmpty, columns < 32, broadcast.rows >= 4 * rows, left.innerStride == 1,
      right.innerStride == 1
    else { return nil }
    if right.rowStride == 0, left.rowStride == columns {
      side = .right
    } else if left.rowStride == 0, right.rowStride == columns {
      side = .left
    } else {
      return nil
    }
  }

  /// Writes the row out.
  func fill(_ memory: UnsafeMutableRawPointer, left: UnsafeRawPointer, right: UnsafeRawPointer) {
    let rowBytes = columns &* elementBytes
    for repetition in 0..<rows {
      moveBytes(rowBytes, from: side == .left ? left : right, to: memory + repetition &* rowBytes)
    }
  }

  /// Makes every `self.rows` rows one; rows that are left over are dropped.
  func widen(_ block: inout BinaryRows, _ memory: UnsafeMutableRawPointer) {
    switch side {
    case .left: block.left = UnsafeRawPointer(memory)
    case .right: block.right = UnsafeRawPointer(memory)
    }
    block.columns = elements
    block.rows = block.rows / rows
    block.leftStride = block.leftStride &* rows
    block.rightStride = block.rightStride &* rows
  }

  /// The rows that `widen` dropped, as one.
  func rest(_ widened: BinaryRows, of block: Broadcast.Block) -> BinaryRows {
    var rest = widened
    rest.left += widened.rows &* widened.leftStride &* sizes.left
    rest.right += widened.rows &* widened.rightStride &* sizes.right
    rest.result += widened.rows &* elements &* sizes.result
    rest.columns = (block.rows &- widened.rows &* rows) &* columns
    rest.rows = rest.columns > 0 ? 1 : 0
    return rest
  }
}
