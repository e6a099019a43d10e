import SwiftletEngine

/// A short row that meets every row of the other operand, written out several times, so that a kernel gets rows worth a
/// loop.
///
/// Three channels, for example, subtracted from every pixel of a picture.
struct RowRepetition: Sendable {
  private enum Side { case left, right }

  private let side: Side
  private let columns: Int
  /// How many rows become one.
  let rows: Int

  /// Elements of the written-out row.
  var elements: Int { columns &* rows }

  /// `nil` where it would not pay, or where the short row is not the same everywhere.
  init?(_ broadcast: Broadcast) {
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
  @inline(__always)
  func fill<Left, Right>(_ memory: UnsafeMutableRawPointer, left: UnsafePointer<Left>, right: UnsafePointer<Right>) {
    switch side {
    case .left: repeatRow(left, memory.assumingMemoryBound(to: Left.self))
    case .right: repeatRow(right, memory.assumingMemoryBound(to: Right.self))
    }
  }

  @inline(__always)
  private func repeatRow<Element>(_ row: UnsafePointer<Element>, _ memory: UnsafeMutablePointer<Element>) {
    for repetition in 0..<rows {
      for column in 0..<columns { memory[repetition &* columns &+ column] = row[column] }
    }
  }

  /// Makes every `self.rows` rows one; rows that are left over are dropped.
  @inline(__always)
  func widen<Left, Right, Result>(_ block: inout BinaryRows<Left, Right, Result>, _ memory: UnsafeMutableRawPointer) {
    switch side {
    case .left: block.left = UnsafePointer(memory.assumingMemoryBound(to: Left.self))
    case .right: block.right = UnsafePointer(memory.assumingMemoryBound(to: Right.self))
    }
    block.columns = elements
    block.rows = block.rows / rows
    block.leftStride = block.leftStride &* rows
    block.rightStride = block.rightStride &* rows
  }

  /// The rows that `widen` dropped, as one.
  @inline(__always)
  func rest<Left, Right, Result>(
    _ widened: BinaryRows<Left, Right, Result>, of block: Broadcast.Block
  ) -> BinaryRows<Left, Right, Result> {
    var rest = widened
    rest.left += widened.rows &* widened.leftStride
    rest.right += widened.rows &* widened.rightStride
    rest.result += widened.rows &* elements
    rest.columns = (block.rows &- widened.rows &* rows) &* columns
    rest.rows = rest.columns > 0 ? 1 : 0
    return rest
  }
}
