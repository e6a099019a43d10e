/// How the products of several equally large matrices are cut into tiles: blocks of rows by ranges of columns.
///
/// Cuts depend on sizes alone, never on threads, and no result depends on the cuts.
struct MatrixTiling: Sendable {
  struct Block {
    var matrix: Int
    var rows: Range<Int>
    var columns: Range<Int>
  }

  let matrices: Int
  let rows: Int
  let columns: Int
  let rowBlock: Int
  let columnBlock: Int
  private let rowBlocks: Int
  private let columnBlocks: Int

  /// Work of a tile in multiply-adds: some tens of microseconds.
  private static let tileProducts = 1 << 20
  /// Weights that one range of columns should not exceed, so that they stay in a core's own cache for all rows.
  private static let cachedWeights = 1 << 18

  /// - Parameters:
  ///   - depth: products per output.
  ///   - tileRows, panelColumns: the kernel's tile; cuts are multiples of it.
  ///   - elementBytes: size of a weight.
  init(matrices: Int, rows: Int, columns: Int, depth: Int, tileRows: Int, panelColumns: Int, elementBytes: Int) {
    self.matrices = matrices
    self.rows = rows
    self.columns = columns
    let depth = max(1, depth)
    func ceil(_ value: Int, _ step: Int) -> Int { value / step + (value % step == 0 ? 0 : 1) }
    func rounded(_ value: Int, _ step: Int) -> Int { max(1, value / step) * step }
    // Few rows read every weight for little work: then memory is the limit, and columns are cut for the threads.
    let isNarrow = rows <= 2 * tileRows
    let products = isNarrow ? Self.tileProducts / 4 : Self.tileProducts
    let byCache = isNarrow ? columns : Self.cachedWeights / elementBytes / depth
    let byWork = products / depth / max(1, min(rows, 4 * tileRows))
    columnBlock = max(1, min(columns, rounded(min(byCache, byWork), panelColumns)))
    columnBlocks = ceil(columns, columnBlock)
    let perBlock = products / depth / columnBlock
    let even = rows == 0 ? 1 : ceil(rows, max(1, ceil(rows, rounded(perBlock, tileRows))))
    rowBlock = max(1, min(rows, ceil(even, tileRows) * tileRows))
    rowBlocks = ceil(rows, rowBlock)
  }

  var tileCount: Int { matrices * rowBlocks * columnBlocks }

  /// Rows run fastest, so that consecutive tiles share their weights.
  func block(_ tile: Int) -> Block {
    let row = tile % rowBlocks * rowBlock
    let rest = tile / rowBlocks
    let column = rest % columnBlocks * columnBlock
    return Block(
      matrix: rest / columnBlocks, rows: row..<min(rows, row + rowBlock), columns: column..<min(columns, column + columnBlock))
  }
}
