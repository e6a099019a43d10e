import SwiftletEngine

/// The division of the products of several equally large matrices into tiles: blocks of rows by ranges of columns, or
/// several small matrices per tile.
///
/// Results don't depend on the tiles. Tiles are smaller for several threads.
struct GemmTiling: Sendable {
  struct Block {
    var matrices: Range<Int>
    var rows: Range<Int>
    var columns: Range<Int>
  }

  let rowBlock: Int
  let columnBlock: Int
  private let rows: Int
  private let columns: Int
  private let matrices: Int
  private let matrixBlock: Int
  private let rowBlocks: Int
  private let columnBlocks: Int
  /// The step of row boundaries, and the number of steps.
  private let rowStep: Int
  private let rowSteps: Int
  /// The number of row parts, one per thread. Each part is multiplied by all columns before the next part.
  private let rowParts: Int
  /// Whether a range of columns is multiplied by the rows of all matrices before the next range.
  private let columnsFirst: Bool

  /// The maximum work of a tile in multiply-adds: tens of microseconds.
  private static let tileProducts = 1 << 20
  /// Returns the minimum work that is worth handing to a thread.
  private static func leastProducts(elementBytes: Int) -> Int { elementBytes == 1 ? 1 << 18 : 1 << 17 }
  /// The maximum number of results in a block whose sums are in scratch memory, so that they stay in the core's private
  /// cache.
  static let cachedSums = 1 << 14
  /// The maximum number of weights in a range of columns, so that they stay in the core's private cache for all rows.
  private static let cachedWeights = 1 << 18

  /// Creates the tiling.
  ///
  /// - Parameters:
  ///   - depth: The number of products per output.
  ///   - tileRows, panelColumns: The tile size of the kernel. Boundaries are multiples of it.
  ///   - elementBytes: The size of a weight in bytes.
  ///   - sharesWeights: Whether all matrices have the same weights.
  ///   - mostResults: The approximate maximum number of results in a block.
  init(
    matrices: Int, rows: Int, columns: Int, depth: Int, tileRows: Int, panelColumns: Int, elementBytes: Int,
    sharesWeights: Bool = false, mostResults: Int = .max, threads: Int
  ) {
    self.matrices = matrices
    self.rows = rows
    self.columns = columns
    let depth = max(1, depth)
    func ceil(_ value: Int, _ step: Int) -> Int { value / step + (value % step == 0 ? 0 : 1) }
    func rounded(_ value: Int, _ step: Int) -> Int { max(1, value / step) * step }
    // With few rows, every weight is read for little work. Memory is then the bottleneck, and columns are divided among
    // threads.
    let isNarrow = rows <= 2 * tileRows
    let total = Double(matrices) * Double(rows) * Double(columns) * Double(depth)
    // A few tiles per thread, so that no thread waits long for the last tile.
    let share = Int(min(total / Double(4 * max(1, threads)), Double(Self.tileProducts)))
    let worthwhile = threads == 1 ? Self.tileProducts : max(Self.leastProducts(elementBytes: elementBytes), share)
    let products = mostResults < worthwhile / depth ? mostResults * depth : worthwhile
    // If there are more weights than inputs, the weights stay in the cache.
    let isShared = sharesWeights && matrices > 1 && columns / max(1, rows) >= matrices
    let byCache = isNarrow && !isShared ? columns : Self.cachedWeights / elementBytes / depth
    let byWork =
      (isNarrow ? min(products, Self.tileProducts / 4) : Self.tileProducts) / depth / max(1, min(rows, 4 * tileRows))
    columnBlock = max(1, min(columns, rounded(min(byCache, byWork), panelColumns)))
    columnBlocks = ceil(columns, columnBlock)
    let perBlock = products / depth / columnBlock
    rowStep = tileRows
    rowSteps = ceil(rows, tileRows)
    rowBlocks = PreparedOperator.Stage.evenly(
      ceil(rows, rounded(perBlock, tileRows)), of: rowSteps, threads: threads)
    rowBlock = max(1, min(rows, ceil(rowSteps, max(1, rowBlocks)) * tileRows))
    let isSmall = rowBlocks == 1 && columnBlocks == 1
    let perMatrix = rows.multipliedReportingOverflow(by: columns * depth).partialValue
    matrixBlock = isSmall ? max(1, min(matrices, products / max(1, perMatrix))) : 1
    columnsFirst = isShared
    rowParts = rowBlocks > 0 && rowBlocks % threads == 0 && matrices <= matrixBlock ? threads : 1
  }

  var tileCount: Int { (matrices + matrixBlock - 1) / matrixBlock * rowBlocks * columnBlocks }

  /// Rows vary fastest, so that consecutive tiles share their weights.
  func block(_ tile: Int) -> Block {
    let matrix: Int, column: Int, rowIndex: Int
    if columnsFirst {
      let matrixBlocks = (matrices + matrixBlock - 1) / matrixBlock
      rowIndex = tile % rowBlocks
      matrix = tile / rowBlocks % matrixBlocks * matrixBlock
      column = tile / rowBlocks / matrixBlocks * columnBlock
    } else {
      let perPart = rowBlocks / rowParts
      matrix = tile / (rowBlocks * columnBlocks) * matrixBlock
      let rest = tile % (rowBlocks * columnBlocks)
      let part = rest / (perPart * columnBlocks), inner = rest % (perPart * columnBlocks)
      column = inner / perPart * columnBlock
      rowIndex = part * perPart + inner % perPart
    }
    let steps = PreparedOperator.Stage.part(rowIndex, of: rowSteps, parts: rowBlocks)
    return Block(
      matrices: matrix..<min(matrices, matrix + matrixBlock),
      rows: steps.lowerBound * rowStep..<min(rows, steps.upperBound * rowStep),
      columns: column..<min(columns, column + columnBlock))
  }
}

/// The stages of a product: pack the weights that are computed in the run, and then multiply.
struct GemmStages {
  var packing: [PreparedOperator.Stage]
  var multiplying: PreparedOperator.Stage

  var all: [PreparedOperator.Stage] { packing + [multiplying] }

  /// Returns the joined stages of several independent products.
  static func joined(_ products: [GemmStages]) -> [PreparedOperator.Stage] {
    let packing = products.flatMap(\.packing)
    return (packing.isEmpty ? [] : [.joined(packing)]) + [.joined(products.map(\.multiplying))]
  }
}

extension PreparedOperator.Stage {
  /// Returns one stage with the tiles of several independent stages.
  static func joined(_ stages: [PreparedOperator.Stage]) -> PreparedOperator.Stage {
    var total = 0
    let ends = stages.map { stage in
      total += stage.tileCount
      return total
    }
    let work = stages.reduce(0 as Double?) { sum, stage in
      guard let sum, let work = stage.work else { return nil }
      return sum + work
    }
    var joined = PreparedOperator.Stage(tileCount: total, work: work) { run, tile in
      // Find the first stage that ends after the tile. There may be thousands of stages.
      var (index, end) = (0, ends.count)
      while index < end {
        let middle = (index &+ end) / 2
        if ends[middle] <= tile { index = middle &+ 1 } else { end = middle }
      }
      try stages[index].run(run, tile &- (ends[index] &- stages[index].tileCount))
    }
    if stages.contains(where: { $0.precision == .reduced }) { joined.precision = .reduced }
    if stages.allSatisfy({ $0.reads != nil && $0.writes != nil }) {
      joined.reads = stages.flatMap { $0.reads ?? [] }
      joined.writes = stages.flatMap { $0.writes ?? [] }
    }
    return joined
  }
}

/// The division of the rows (output pixels) of several images into tiles.
struct RowTiling: Sendable {
  let images: Int
  let rows: Int
  let rowBlock: Int
  private let blocks: Int
  /// The step of tile boundaries in rows.
  private let step: Int

  /// Creates the tiling.
  ///
  /// - Parameters:
  ///   - cost: The approximate work of a row in nanoseconds.
  ///   - step: The number of rows that belong together. Tiles are multiples of it.
  init(images: Int, rows: Int, cost: Double, step: Int = 1, threads: Int) {
    self.images = images
    self.rows = rows
    let tile = PreparedOperator.Stage.tileNanoseconds(total: cost * Double(rows) * Double(images), threads: threads)
    let perTile = max(1, Int(min(tile / max(cost, 0.001), 1e15)))
    let wanted = max(1, PreparedOperator.Stage.evenly((rows + perTile - 1) / perTile, of: rows, threads: threads))
    let even = max(1, (rows + wanted - 1) / wanted)
    // A large step would make tiles too large.
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
