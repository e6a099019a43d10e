// Goals, in order: accumulators are exact (sums of products of bytes, modulo 2³²); nothing is read or written outside
// the rows and columns given; accumulators stay in registers over the whole depth.

/// Accumulators of one tile, two vectors per row, between the code for its height and the epilogue they share.
struct QuantizedTile<V: VectorISA> {
  var c00 = V.I(), c01 = V.I(), c10 = V.I(), c11 = V.I(), c20 = V.I(), c21 = V.I()
  var c30 = V.I(), c31 = V.I(), c40 = V.I(), c41 = V.I(), c50 = V.I(), c51 = V.I()
}

/// Where the rows of a tile are.
protocol QuantizedTileRows {
  var taps: Int { get }
  func pointer(_ row: Int, _ tap: Int) -> UnsafeRawPointer
}

/// Rows of one tap at equal distances.
struct EvenRows: QuantizedTileRows {
  let start: UnsafeRawPointer
  let stride: Int

  @inline(__always) var taps: Int { 1 }
  @inline(__always) func pointer(_ row: Int, _ tap: Int) -> UnsafeRawPointer { start + row &* stride }
}

/// Rows from `row` on of any source.
struct TappedRows: QuantizedTileRows {
  let source: RowSource
  let row: Int

  @inline(__always) var taps: Int { source.taps }
  @inline(__always) func pointer(_ index: Int, _ tap: Int) -> UnsafeRawPointer {
    source.pointer(row: row &+ index, tap: tap)
  }
}

/// The integer part of a quantised matrix multiplication; what becomes of the accumulators is the epilogue's business.
struct QuantizedGemm<V: VectorISA, Epilogue: QuantizedEpilogue> where Epilogue.V == V {
  let columns: Int
  let tapDepth: Int
  let source: RowSource
  let panels: UnsafeRawPointer
  /// 0x80808080 to read signed bytes as unsigned ones 128 higher, 0 to take them as they are.
  let flip: Int32
  let epilogue: Epilogue

  @inline(__always)
  func compute(rows: Int) {
    let panelBytes = QuantizedPanel<V>.bytes(taps: source.taps, tapDepth: tapDepth)
    var column = 0
    var panel = QuantizedPanel<V>(pointer: panels)
    if rows == 1 {
      while column &+ 4 &* V.panelColumns <= columns {
        var tile = QuantizedTile<V>()
        accumulateRow(panel: panel, panelBytes: panelBytes, tile: &tile)
        epilogue.store(tile.c00, tile.c01, column: column, panel: panel)
        epilogue.store(tile.c10, tile.c11, column: column &+ V.panelColumns, panel: panel.next(panelBytes))
        epilogue.store(tile.c20, tile.c21, column: column &+ 2 &* V.panelColumns, panel: panel.next(2 &* panelBytes))
        epilogue.store(tile.c30, tile.c31, column: column &+ 3 &* V.panelColumns, panel: panel.next(3 &* panelBytes))
        column &+= 4 &* V.panelColumns
        panel = panel.next(4 &* panelBytes)
      }
    }
    while column < columns {
      let left = columns &- column
      if left > V.lanes {
        computePanel(panel, rows: rows, column: column, left: left, wide: true)
      } else {
        computePanel(panel, rows: rows, column: column, left: left, wide: false)
      }
      column &+= V.panelColumns
      panel = panel.next(panelBytes)
    }
  }

  /// All rows of one panel, or of its first vector unless `wide`.
  @inline(__always)
  private func computePanel(_ panel: QuantizedPanel<V>, rows: Int, column: Int, left: Int, wide: Bool) {
    var row = 0
    if source.offsets == nil {
      // Whole tiles of rows at equal distances: what few products there are must not wait for their addresses.
      var start = source.base
      while row &+ V.quantizedTileRows <= rows {
        var tile = QuantizedTile<V>()
        accumulateTile(
          V.quantizedTileRows, from: EvenRows(start: start, stride: source.stride), panel: panel, wide: wide,
          tile: &tile)
        epilogue.store(tile, count: V.quantizedTileRows, row: row, column: column, left: left, panel: panel)
        row &+= V.quantizedTileRows
        start += V.quantizedTileRows &* source.stride
      }
    }
    while row < rows {
      let remaining = rows &- row
      let count = remaining >= V.quantizedTileRows ? V.quantizedTileRows : remaining >= 4 ? 4 : remaining >= 2 ? 2 : 1
      var tile = QuantizedTile<V>()
      accumulate(count, row: row, panel: panel, wide: wide, tile: &tile)
      epilogue.store(tile, count: count, row: row, column: column, left: left, panel: panel)
      row &+= count
    }
  }

  @inline(__always)
  private func accumulate(_ count: Int, row: Int, panel: QuantizedPanel<V>, wide: Bool, tile: inout QuantizedTile<V>) {
    let from = TappedRows(source: source, row: row)
    switch count {
    case 1: accumulateTile(1, from: from, panel: panel, wide: wide, tile: &tile)
    case 2: accumulateTile(2, from: from, panel: panel, wide: wide, tile: &tile)
    case 4: accumulateTile(4, from: from, panel: panel, wide: wide, tile: &tile)
    case 6 where V.quantizedTileRows > 5: accumulateTile(6, from: from, panel: panel, wide: wide, tile: &tile)
    default: break
    }
  }

  /// `count` rows by one panel, or by its first vector unless `wide`. Both are constants: what belongs to further rows
  /// or columns vanishes when inlined.
  @inline(__always)
  private func accumulateTile<Rows: QuantizedTileRows>(
    _ count: Int, from rows: Rows, panel: QuantizedPanel<V>, wide: Bool, tile: inout QuantizedTile<V>
  ) {
    var c00 = panel.bias(0), c01 = panel.bias(1)
    var c10 = c00, c11 = c01, c20 = c00, c21 = c01, c30 = c00, c31 = c01, c40 = c00, c41 = c01, c50 = c00, c51 = c01
    var weights = panel.weights
    let flip = V.splat(flip)
    @inline(__always) func accumulate(
      _ x: Int32, _ b0: V.WeightBytes, _ b1: V.WeightBytes, _ c0: inout V.I, _ c1: inout V.I
    ) {
      let bytes = V.inputBytes(V.splat(x), flip: flip)
      c0 = V.dot(c0, bytes, b0)
      if wide { c1 = V.dot(c1, bytes, b1) }
    }
    let tail = tapDepth & 3
    let whole = tapDepth &- tail
    var tap = 0
    while tap < rows.taps {
      let a0 = rows.pointer(0, tap)
      let a1 = count > 1 ? rows.pointer(1, tap) : a0
      let a2 = count > 2 ? rows.pointer(2, tap) : a0
      let a3 = count > 3 ? rows.pointer(3, tap) : a0
      let a4 = count > 4 ? rows.pointer(4, tap) : a0
      let a5 = count > 5 ? rows.pointer(5, tap) : a0
      var position = 0
      while position < whole {
        let at = position
        let b0 = V.weightBytes(V.loadInts(weights, 0)), b1 = wide ? V.weightBytes(V.loadInts(weights, 1)) : b0
        accumulate(fourBytes(a0, at), b0, b1, &c00, &c01)
        if count > 1 { accumulate(fourBytes(a1, at), b0, b1, &c10, &c11) }
        if count > 2 { accumulate(fourBytes(a2, at), b0, b1, &c20, &c21) }
        if count > 3 { accumulate(fourBytes(a3, at), b0, b1, &c30, &c31) }
        if count > 4 { accumulate(fourBytes(a4, at), b0, b1, &c40, &c41) }
        if count > 5 { accumulate(fourBytes(a5, at), b0, b1, &c50, &c51) }
        weights += 2 &* V.vectorBytes
        position &+= 4
      }
      if tail != 0 {
        let b0 = V.weightBytes(V.loadInts(weights, 0)), b1 = wide ? V.weightBytes(V.loadInts(weights, 1)) : b0
        accumulate(lastBytes(a0), b0, b1, &c00, &c01)
        if count > 1 { accumulate(lastBytes(a1), b0, b1, &c10, &c11) }
        if count > 2 { accumulate(lastBytes(a2), b0, b1, &c20, &c21) }
        if count > 3 { accumulate(lastBytes(a3), b0, b1, &c30, &c31) }
        if count > 4 { accumulate(lastBytes(a4), b0, b1, &c40, &c41) }
        if count > 5 { accumulate(lastBytes(a5), b0, b1, &c50, &c51) }
        weights += 2 &* V.vectorBytes
      }
      tap &+= 1
    }
    tile = QuantizedTile(
      c00: c00, c01: c01, c10: c10, c11: c11, c20: c20, c21: c21, c30: c30, c31: c31, c40: c40, c41: c41, c50: c50,
      c51: c51)
  }

  /// One row by four whole panels: eight chains keep the multipliers busy where one panel's two would not.
  @inline(__always)
  private func accumulateRow(panel p0: QuantizedPanel<V>, panelBytes: Int, tile: inout QuantizedTile<V>) {
    let p1 = p0.next(panelBytes), p2 = p0.next(2 &* panelBytes), p3 = p0.next(3 &* panelBytes)
    tile.c00 = p0.bias(0)
    tile.c01 = p0.bias(1)
    tile.c10 = p1.bias(0)
    tile.c11 = p1.bias(1)
    tile.c20 = p2.bias(0)
    tile.c21 = p2.bias(1)
    tile.c30 = p3.bias(0)
    tile.c31 = p3.bias(1)
    var weights = p0.weights
    let flip = V.splat(flip)
    let tail = tapDepth & 3
    let whole = tapDepth &- tail
    var tap = 0
    while tap < source.taps {
      let a = source.pointer(row: 0, tap: tap)
      var position = 0
      while position < whole {
        accumulate(fourBytes(a, position), flip, weights, panelBytes, &tile)
        weights += 2 &* V.vectorBytes
        position &+= 4
      }
      if tail != 0 {
        accumulate(lastBytes(a), flip, weights, panelBytes, &tile)
        weights += 2 &* V.vectorBytes
      }
      tap &+= 1
    }
  }

  /// Four bytes by the same place of four panels.
  @inline(__always)
  private func accumulate(
    _ x: Int32, _ flip: V.I, _ weights: UnsafeRawPointer, _ panelBytes: Int, _ tile: inout QuantizedTile<V>
  ) {
    let bytes = V.inputBytes(V.splat(x), flip: flip)
    let w1 = weights + panelBytes, w2 = weights + 2 &* panelBytes, w3 = weights + 3 &* panelBytes
    tile.c00 = V.dot(tile.c00, bytes, V.weightBytes(V.loadInts(weights, 0)))
    tile.c01 = V.dot(tile.c01, bytes, V.weightBytes(V.loadInts(weights, 1)))
    tile.c10 = V.dot(tile.c10, bytes, V.weightBytes(V.loadInts(w1, 0)))
    tile.c11 = V.dot(tile.c11, bytes, V.weightBytes(V.loadInts(w1, 1)))
    tile.c20 = V.dot(tile.c20, bytes, V.weightBytes(V.loadInts(w2, 0)))
    tile.c21 = V.dot(tile.c21, bytes, V.weightBytes(V.loadInts(w2, 1)))
    tile.c30 = V.dot(tile.c30, bytes, V.weightBytes(V.loadInts(w3, 0)))
    tile.c31 = V.dot(tile.c31, bytes, V.weightBytes(V.loadInts(w3, 1)))
  }

  @inline(__always)
  private func fourBytes(_ run: UnsafeRawPointer, _ position: Int) -> Int32 {
    run.loadUnaligned(fromByteOffset: position, as: Int32.self)
  }

  /// The last `tapDepth % 4` bytes of a run in the low bytes of a word, without reading behind the run. What is in the
  /// other bytes does not matter: their weights are zero.
  @inline(__always)
  private func lastBytes(_ run: UnsafeRawPointer) -> Int32 {
    let last = tapDepth &- 1, first = tapDepth & ~3
    let second = min(first &+ 1, last), third = min(first &+ 2, last)
    @inline(__always) func byte(_ position: Int) -> Int32 { Int32(run.load(fromByteOffset: position, as: UInt8.self)) }
    return byte(first) | byte(second) &<< 8 | byte(third) &<< 16
  }
}
