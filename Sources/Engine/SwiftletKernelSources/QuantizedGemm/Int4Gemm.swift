// Goals, in order: the sum of a block is exact; the sums of blocks are scaled and added in ascending order, each step
// rounded, so that results don't depend on tiles and instruction sets; nothing is written outside the given rows and
// columns; weights stay in four bits in memory.

/// A panel of packed int4 weights.
///
/// The header of `QuantizedPanel` is followed by every block of the depth: its groups of eight channels and, if blocks
/// have scales, a row of them. The header then has the terms of the row's zero point in place of the scales. A lane of a
/// group contains eight channels of its column: byte `i` has channel `i` in its low half and channel `4 + i` in its high
/// half. Weights are stored 8 higher, as unsigned numbers; channels that don't exist are 0.
struct Int4Panel<V: GemmISA> {
  let pointer: UnsafeRawPointer

  @inline(__always) static func bytes(blocks: Int, blockSize: Int, hasScales: Bool) -> Int {
    let header = QuantizedPanel<V>.headerRows
    return (header &+ blocks &* ((blockSize &+ 7) / 8 &+ (hasScales ? 1 : 0))) &* 2 &* V.vectorBytes
  }

  @inline(__always) var header: QuantizedPanel<V> { QuantizedPanel(pointer: pointer) }
}

/// Products of rows of signed bytes with int4 weights.
struct Int4Gemm<V: GemmISA> {
  let columns: Int
  let blocks: Int
  let blockSize: Int
  let input: UnsafeRawPointer
  let inputStride: Int
  /// For every row and block, `-8 · Σ (x + 128)`.
  let terms: UnsafePointer<Int32>
  let panels: UnsafeRawPointer
  let epilogue: DynamicRangeEpilogue<V>

  /// The number of rows that leave registers for the sums of a block, the sums of blocks, and two groups of weights.
  private static var tileRows: Int {
    #if arch(arm64) && !SWIFTLET_DOTPROD
      // Products without dot instructions need several registers each.
      return 1
    #else
      return V.quantizedTileRows > 4 ? 4 : 2
    #endif
  }

  /// - Parameter hasScales: Whether blocks have scales. A constant. If not, the columns have scales.
  @inline(__always)
  func compute(rows: Int, hasScales: Bool) {
    var column = 0
    var panel = Int4Panel<V>(pointer: panels)
    while column < columns {
      let left = min(columns &- column, V.panelColumns)
      var row = 0
      if Self.tileRows > 2 {
        while row &+ 4 <= rows {
          compute(4, row: row, column: column, left: left, panel: panel, hasScales: hasScales)
          row &+= 4
        }
      }
      if Self.tileRows > 1 {
        while row &+ 2 <= rows {
          compute(2, row: row, column: column, left: left, panel: panel, hasScales: hasScales)
          row &+= 2
        }
      }
      while row < rows {
        compute(1, row: row, column: column, left: left, panel: panel, hasScales: hasScales)
        row &+= 1
      }
      column &+= V.panelColumns
      panel = Int4Panel(
        pointer: panel.pointer + Int4Panel<V>.bytes(blocks: blocks, blockSize: blockSize, hasScales: hasScales))
    }
  }

  /// Computes `count` rows, a constant, of one panel.
  @inline(__always)
  private func compute(_ count: Int, row: Int, column: Int, left: Int, panel: Int4Panel<V>, hasScales: Bool) {
    var weights = panel.header.weights
    var block = 0
    var tile = QuantizedTile<V>()
    var t00 = V.F(), t01 = V.F(), t10 = V.F(), t11 = V.F(), t20 = V.F(), t21 = V.F(), t30 = V.F(), t31 = V.F()
    while block < blocks {
      accumulate(count, row: row, block: block, weights: &weights, tile: &tile)
      if hasScales {
        let scale0 = V.load(weights, 0), scale1 = V.load(weights, 1)
        weights += 2 &* V.vectorBytes
        t00 = t00 + V.toFloat(tile.c00) * scale0
        t01 = t01 + V.toFloat(tile.c01) * scale1
        if count > 1 {
          t10 = t10 + V.toFloat(tile.c10) * scale0
          t11 = t11 + V.toFloat(tile.c11) * scale1
        }
        if count > 2 {
          t20 = t20 + V.toFloat(tile.c20) * scale0
          t21 = t21 + V.toFloat(tile.c21) * scale1
          t30 = t30 + V.toFloat(tile.c30) * scale0
          t31 = t31 + V.toFloat(tile.c31) * scale1
        }
      }
      block &+= 1
    }
    guard hasScales else {
      return epilogue.store(tile, count: count, row: row, column: column, left: left, panel: panel.header)
    }
    @inline(__always) func store(_ index: Int, _ x0: V.F, _ x1: V.F) {
      epilogue.store(scaled: x0, x1, row: row &+ index, column: column, left: left, panel: panel.header)
    }
    store(0, t00, t01)
    if count > 1 { store(1, t10, t11) }
    if count > 2 {
      store(2, t20, t21)
      store(3, t30, t31)
    }
  }

  /// Computes the sums of a block.
  @inline(__always)
  private func accumulate(
    _ count: Int, row: Int, block: Int, weights: inout UnsafeRawPointer, tile: inout QuantizedTile<V>
  ) {
    let mask = V.splat(0x0F0F_0F0F as Int32)
    // The sum of the block's bytes is counted as unsigned; its values are 128 lower.
    let offset = Int32(truncatingIfNeeded: blockSize) &* 1024
    @inline(__always) func start(_ index: Int) -> V.I { V.splat(terms[(row &+ index) &* blocks &+ block] &+ offset) }
    @inline(__always) func first(_ index: Int) -> UnsafeRawPointer {
      input + ((row &+ index) &* inputStride &+ block &* blockSize)
    }
    let a0 = first(0), a1 = count > 1 ? first(1) : a0, a2 = count > 2 ? first(2) : a0, a3 = count > 2 ? first(3) : a0
    var c00 = start(0), c01 = c00
    // A single row has separate sums for both halves, because two chains wouldn't keep the multipliers busy.
    var c10 = count > 1 ? start(1) : V.I(), c11 = c10
    var c20 = count > 2 ? start(2) : c00, c21 = c20
    var c30 = count > 2 ? start(3) : c00, c31 = c30
    var position = 0
    while position < blockSize {
      let w0 = V.loadInts(weights, 0), w1 = V.loadInts(weights, 1)
      let low0 = w0 & mask, low1 = w1 & mask, high0 = (w0 &>> 4) & mask, high1 = (w1 &>> 4) & mask
      let at = position
      @inline(__always) func words(_ a: UnsafeRawPointer) -> (V.I, V.I) {
        let word = a + at
        return (V.splat(word.loadUnaligned(as: Int32.self)), V.splat((word + 4).loadUnaligned(as: Int32.self)))
      }
      let (x, y) = words(a0)
      c00 = V.dot(c00, halfBytes: low0, x)
      c01 = V.dot(c01, halfBytes: low1, x)
      if count == 1 {
        c10 = V.dot(c10, halfBytes: high0, y)
        c11 = V.dot(c11, halfBytes: high1, y)
      } else {
        @inline(__always) func add(_ a: UnsafeRawPointer, _ c0: inout V.I, _ c1: inout V.I) {
          let (x, y) = words(a)
          c0 = V.dot(V.dot(c0, halfBytes: low0, x), halfBytes: high0, y)
          c1 = V.dot(V.dot(c1, halfBytes: low1, x), halfBytes: high1, y)
        }
        c00 = V.dot(c00, halfBytes: high0, y)
        c01 = V.dot(c01, halfBytes: high1, y)
        add(a1, &c10, &c11)
        if count > 2 {
          add(a2, &c20, &c21)
          add(a3, &c30, &c31)
        }
      }
      weights += 2 &* V.vectorBytes
      position &+= 8
    }
    tile.c00 = count == 1 ? c00 &+ c10 : c00
    tile.c01 = count == 1 ? c01 &+ c11 : c01
    tile.c10 = c10
    tile.c11 = c11
    tile.c20 = c20
    tile.c21 = c21
    tile.c30 = c30
    tile.c31 = c31
  }
}
