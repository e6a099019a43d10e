// Goals, in order: accumulators are exact (sums of int8 products, modulo 2³²); nothing is read or written outside the
// given rows and columns; accumulators stay in registers over the whole depth.

/// The computation of a tile's sums with the int8 product instructions of an instruction set.
protocol QuantizedAccumulation {
  associatedtype V: GemmISA

  /// Whether `accumulate` supports eight rows by one vector of columns.
  static var takesEightRows: Bool { get }
  /// Whether rows are copies, which have no taps to locate and are rarely single.
  static var readsCopies: Bool { get }

  /// - Parameter flip: The flip that is applied to input bytes before they are multiplied: 0x80808080, or 0.
  init(tapDepth: Int, flip: Int32)
  /// Multiplies `count` rows by one panel, or by its first vector unless `wide`. Both are constants, so that the code
  /// for other rows and columns is removed by inlining.
  func accumulate<Rows: TileRows>(
    _ count: Int, from rows: Rows, panel: QuantizedPanel<V>, wide: Bool, tile: inout QuantizedTile<V>)
  /// Multiplies one row by four whole panels, whose sums are the first four rows of the tile.
  func accumulateRow(
    from source: RowSource, panel: QuantizedPanel<V>, panelBytes: Int, tile: inout QuantizedTile<V>)
}

extension QuantizedAccumulation {
  @inline(__always) static var takesEightRows: Bool { false }
  @inline(__always) static var readsCopies: Bool { false }

  @inline(__always)
  func accumulateRow(
    from source: RowSource, panel: QuantizedPanel<V>, panelBytes: Int, tile: inout QuantizedTile<V>
  ) {
    @inline(__always) func sums(_ index: Int) -> (V.I, V.I) {
      var tile = QuantizedTile<V>()
      let rows = TappedRows(source: source, row: 0)
      accumulate(1, from: rows, panel: panel.next(index &* panelBytes), wide: true, tile: &tile)
      return (tile.c00, tile.c01)
    }
    (tile.c00, tile.c01) = sums(0)
    (tile.c10, tile.c11) = sums(1)
    (tile.c20, tile.c21) = sums(2)
    (tile.c30, tile.c31) = sums(3)
  }
}

/// The integer part of a quantized matrix multiplication. The epilogue processes the accumulators.
struct QuantizedGemm<Accumulation: QuantizedAccumulation, Epilogue: QuantizedEpilogue>
where Epilogue.V == Accumulation.V {
  typealias V = Accumulation.V

  let columns: Int
  let accumulation: Accumulation
  let source: RowSource
  let panels: UnsafeRawPointer
  let panelBytes: Int
  let epilogue: Epilogue

  /// Computes a number of rows.
  ///
  /// - Parameter flip: 0x80808080 to read signed bytes as unsigned bytes 128 higher; 0 to read them unchanged. Bit 0
  ///   is set for rows from `RowCopies` if they aren't bytes.
  @inline(__always)
  static func compute(
    _: Accumulation.Type, rows: Int, columns: Int, tapDepth: Int, source: RowSource, panels: UnsafeRawPointer,
    flip: Int32, epilogue: Epilogue
  ) {
    #if SWIFTLET_AVX2 && !SWIFTLET_AVXVNNI
      if flip & 1 != 0 {
        let copies = RowSource(
          base: source.base, stride: source.stride, offsets: nil, zeroRow: source.base, taps: 1, elementBytes: 1)
        QuantizedGemm<CopiedRowAccumulation<V>, Epilogue>(
          columns: columns, tapDepth: tapDepth, source: copies, panels: panels, flip: 0, epilogue: epilogue
        ).compute(rows: rows, transposedRows: 0)
        return
      }
    #endif
    var transposedRows = 0
    #if SWIFTLET_AVX512
      let last = TransposedColumns<V>(
        columns: columns, rows: rows, taps: source.taps, tapWords: (tapDepth &+ 3) / 4)
      let panelBytes = QuantizedPanel<V>.bytes(taps: source.taps, tapDepth: tapDepth)
      let panel = panels + (columns &- 1) / V.panelColumns &* panelBytes
      let tile = TransposedTile(
        product: TransposedBytes<V>(flip: V.splat(V.inputFlip(flip))), source: source, tapBytes: tapDepth,
        start: panel + last.first &* 4, weights: QuantizedPanel<V>(pointer: panel).weights + last.first &* 4)
      epilogue.store(tile, last, column: columns &- last.count, panel: QuantizedPanel(pointer: panel))
      transposedRows = last.rows
    #endif
    // A constant removes the flip, which is worthwhile on some instruction sets.
    if V.flipsDelayProducts, flip == 0 {
      Self(columns: columns, tapDepth: tapDepth, source: source, panels: panels, flip: 0, epilogue: epilogue)
        .compute(rows: rows, transposedRows: transposedRows)
    } else {
      Self(columns: columns, tapDepth: tapDepth, source: source, panels: panels, flip: flip, epilogue: epilogue)
        .compute(rows: rows, transposedRows: transposedRows)
    }
  }

  @inline(__always)
  private init(
    columns: Int, tapDepth: Int, source: RowSource, panels: UnsafeRawPointer, flip: Int32, epilogue: Epilogue
  ) {
    self.columns = columns
    accumulation = Accumulation(tapDepth: tapDepth, flip: V.inputFlip(flip))
    self.source = source
    self.panels = panels
    panelBytes = QuantizedPanel<V>.bytes(taps: source.taps, tapDepth: tapDepth)
    self.epilogue = epilogue
  }

  /// - Parameter transposedRows: The number of first rows whose last columns, at most one vector, are already stored.
  @inline(__always)
  private func compute(rows: Int, transposedRows: Int) {
    var column = 0
    var panel = QuantizedPanel<V>(pointer: panels)
    if rows == 1, !Accumulation.readsCopies {
      while column &+ 4 &* V.panelColumns <= columns {
        var tile = QuantizedTile<V>()
        accumulation.accumulateRow(from: source, panel: panel, panelBytes: panelBytes, tile: &tile)
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
      let isWide = left > V.lanes, transposed = left < V.panelColumns ? transposedRows : 0
      if isWide { computePanel(panel, from: transposed, to: rows, column: column, left: left, wide: true) }
      computePanel(
        panel, from: isWide ? 0 : transposed, to: isWide ? transposed : rows, column: column, left: min(left, V.lanes),
        wide: false)
      column &+= V.panelColumns
      panel = panel.next(panelBytes)
    }
  }

  /// Computes a range of rows of one panel, or of its first vector unless `wide`.
  @inline(__always)
  private func computePanel(
    _ panel: QuantizedPanel<V>, from firstRow: Int, to rows: Int, column: Int, left: Int, wide: Bool
  ) {
    var row = firstRow
    if !wide, Accumulation.takesEightRows {
      // Eight rows have as many chains as dot products can be in flight; the rows of a tile don't.
      while row &+ 8 <= rows {
        var tile = QuantizedTile<V>()
        if source.hasFixedTaps {
          let rows = FixedRows(source: source, row: row, count: 8)
          accumulation.accumulate(8, from: rows, panel: panel, wide: false, tile: &tile)
        } else {
          let rows = TappedRows(source: source, row: row)
          accumulation.accumulate(8, from: rows, panel: panel, wide: false, tile: &tile)
        }
        epilogue.store(tile, count: 4, row: row, column: column, left: left, panel: panel)
        tile.c00 = tile.c40
        tile.c10 = tile.c50
        tile.c20 = tile.c01
        tile.c30 = tile.c11
        epilogue.store(tile, count: 4, row: row &+ 4, column: column, left: left, panel: panel)
        row &+= 8
      }
    }
    if !Accumulation.readsCopies, source.hasFixedTaps, wide || !Accumulation.takesEightRows {
      // If there are few products, they must not wait for the addresses of their taps.
      while row &+ V.quantizedTileRows <= rows {
        var tile = QuantizedTile<V>()
        accumulation.accumulate(
          V.quantizedTileRows, from: FixedRows(source: source, row: row, count: V.quantizedTileRows), panel: panel,
          wide: wide, tile: &tile)
        epilogue.store(tile, count: V.quantizedTileRows, row: row, column: column, left: left, panel: panel)
        row &+= V.quantizedTileRows
      }
    }
    while row < rows {
      let remaining = rows &- row
      let count =
        remaining >= V.quantizedTileRows
        ? V.quantizedTileRows : V.quantizedTileRows > 4 && remaining >= 4 ? 4 : remaining >= 2 ? 2 : 1
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
    case 1: accumulation.accumulate(1, from: from, panel: panel, wide: wide, tile: &tile)
    case 2: accumulation.accumulate(2, from: from, panel: panel, wide: wide, tile: &tile)
    case 4 where V.quantizedTileRows > 3: accumulation.accumulate(4, from: from, panel: panel, wide: wide, tile: &tile)
    case 6 where V.quantizedTileRows > 5: accumulation.accumulate(6, from: from, panel: panel, wide: wide, tile: &tile)
    default: break
    }
  }
}
