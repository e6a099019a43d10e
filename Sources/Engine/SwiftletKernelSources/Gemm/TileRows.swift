/// Where the input rows of a tile are.
protocol TileRows {
  var taps: Int { get }
  func pointer(_ row: Int, _ tap: Int) -> UnsafeRawPointer
}

/// Rows of one tap at equal distances.
struct EvenRows: TileRows {
  let start: UnsafeRawPointer
  let stride: Int

  @inline(__always) var taps: Int { 1 }
  @inline(__always) func pointer(_ row: Int, _ tap: Int) -> UnsafeRawPointer { start + row &* stride }
}

/// Rows from `row` on of any source.
struct TappedRows: TileRows {
  let source: RowSource
  let row: Int

  @inline(__always) var taps: Int { source.taps }
  @inline(__always) func pointer(_ index: Int, _ tap: Int) -> UnsafeRawPointer {
    source.pointer(row: row &+ index, tap: tap)
  }
}
