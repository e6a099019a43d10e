import SwiftletEngine

/// How the rows (output pixels) of several images are cut into tiles.
struct RowTiling: Sendable {
  let images: Int
  let rows: Int
  let rowBlock: Int
  private let blocks: Int
  /// Rows that tiles are multiples of.
  private let step: Int

  /// - Parameters:
  ///   - cost: the work of a row in nanoseconds, roughly.
  ///   - step: rows that belong together; tiles are multiples of it.
  init(images: Int, rows: Int, cost: Double, step: Int = 1, threads: Int) {
    self.images = images
    self.rows = rows
    let tile = PreparedOperator.Stage.tileNanoseconds(total: cost * Double(rows) * Double(images), threads: threads)
    let perTile = max(1, Int(min(tile / max(cost, 0.001), 1e15)))
    let wanted = max(1, PreparedOperator.Stage.evenly((rows + perTile - 1) / perTile, of: rows, threads: threads))
    let even = max(1, (rows + wanted - 1) / wanted)
    // Rows far apart would make tiles too large.
    self.step = step <= 16 ? max(1, step) : 1
    rowBlock = (even + self.step - 1) / self.step * self.step
    blocks = max(1, (rows + rowBlock - 1) / rowBlock)
  }

  var tileCount: Int { rows == 0 ? 0 : images * blocks }

  func block(_ tile: Int) -> (image: Int, rows: Range<Int>) {
    let steps = PreparedOperator.Stage.part(tile % blocks, of: (rows + step - 1) / step, parts: blocks)
    return (tile / blocks, min(rows, steps.lowerBound * step)..<min(rows, steps.upperBound * step))
  }
}
