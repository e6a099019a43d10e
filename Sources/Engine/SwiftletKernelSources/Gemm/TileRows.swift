/// The input rows of a tile.
protocol TileRows {
  var taps: Int { get }
  func pointer(_ row: Int, _ tap: Int) -> UnsafeRawPointer
}

/// Rows with one tap at a constant stride.
struct EvenRows: TileRows {
  let start: UnsafeRawPointer
  let stride: Int

  @inline(__always) var taps: Int { 1 }
  @inline(__always) func pointer(_ row: Int, _ tap: Int) -> UnsafeRawPointer { start + row &* stride }
}

/// The rows of any source, starting at `row`.
struct TappedRows: TileRows {
  let source: RowSource
  let row: Int

  @inline(__always) var taps: Int { source.taps }
  @inline(__always) func pointer(_ index: Int, _ tap: Int) -> UnsafeRawPointer {
    source.pointer(row: row &+ index, tap: tap)
  }
}
