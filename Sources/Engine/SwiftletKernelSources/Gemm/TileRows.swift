/// The input rows of a tile.
protocol TileRows {
  var taps: Int { get }
  /// Returns the memory that `start` of a tap is relative to.
  func pointer(_ row: Int, _ tap: Int) -> UnsafeRawPointer
  /// Returns the distance of a tap from `pointer` in bytes, which is the same for all rows.
  func start(_ tap: Int) -> Int
}

extension TileRows {
  @inline(__always) func tap(_ row: Int, _ tap: Int) -> UnsafeRawPointer { pointer(row, tap) + start(tap) }
}

/// Rows of a source whose taps have the same distances in every row. Each row is located once, and no tap is.
struct FixedRows: TileRows {
  private let source: RowSource
  private let p0, p1, p2, p3, p4, p5, p6, p7: UnsafeRawPointer

  /// - Parameter count: The number of rows, at most eight. A constant.
  @inline(__always)
  init(source: RowSource, row: Int, count: Int) {
    @inline(__always) func first(_ index: Int) -> UnsafeRawPointer {
      let row = index < count ? row &+ index : row
      guard let offsets = source.offsets else { return source.base + row &* source.stride }
      return source.base + Int(offsets[row &* source.taps]) &* source.elementBytes
    }
    self.source = source
    (p0, p1, p2, p3) = (first(0), first(1), first(2), first(3))
    (p4, p5, p6, p7) = (first(4), first(5), first(6), first(7))
  }

  @inline(__always) var taps: Int { source.taps }

  @inline(__always) func pointer(_ row: Int, _ tap: Int) -> UnsafeRawPointer {
    switch row {
    case 0: p0
    case 1: p1
    case 2: p2
    case 3: p3
    case 4: p4
    case 5: p5
    case 6: p6
    default: p7
    }
  }

  @inline(__always) func start(_ tap: Int) -> Int {
    guard let offsets = source.offsets else { return 0 }
    return (Int(offsets[tap]) &- Int(offsets[0])) &* source.elementBytes
  }
}

/// The rows of any source, starting at `row`.
struct TappedRows: TileRows {
  let source: RowSource
  let row: Int

  @inline(__always) var taps: Int { source.taps }
  @inline(__always) func pointer(_ index: Int, _ tap: Int) -> UnsafeRawPointer {
    source.pointer(row: row &+ index, tap: tap)
  }
  @inline(__always) func start(_ tap: Int) -> Int { 0 }
}
