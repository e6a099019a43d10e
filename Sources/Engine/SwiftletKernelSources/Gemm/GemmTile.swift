// Goals, in order: each output is one chain of multiply-adds over the depth in ascending order, in every tile, so
// results don't depend on the distribution of rows over threads; nothing is read or written outside the given rows and
// columns; accumulators stay in registers over the whole depth.

/// Multiplies `rows` input rows by the packed `panels`, and writes `columns` clamped results per row.
@inline(__always)
func gemm<P: GemmProduct>(
  _: P.Type, rows: Int, columns: Int, tapDepth: Int, source: RowSource, panels: UnsafeRawPointer,
  output: UnsafeMutableRawPointer, outputStride: Int, lower: Float, upper: Float
) {
  typealias V = P.V
  let panelBytes = (source.taps &* P.steps(tapDepth) &+ 1) &* 2 &* V.vectorBytes
  var column = 0
  var panel = panels
  if rows == 1 {
    while column &+ 4 &* V.panelColumns <= columns {
      gemmRow(
        P.self, tapDepth: tapDepth, source: source, panel: panel, panelBytes: panelBytes, output: output + column &* 4,
        lower: lower, upper: upper)
      column &+= 4 &* V.panelColumns
      panel += 4 &* panelBytes
    }
  }
  while column < columns {
    let tile = GemmTile<P>(
      columns: columns &- column, tapDepth: tapDepth, source: source, panel: panel, output: output + column &* 4,
      outputStride: outputStride, lower: lower, upper: upper)
    tile.compute(rows)
    column &+= V.panelColumns
    panel += panelBytes
  }
}

/// The multiplication of rows by one panel.
private struct GemmTile<P: GemmProduct> {
  typealias V = P.V

  let columns: Int
  let tapDepth: Int
  let source: RowSource
  let panel: UnsafeRawPointer
  let output: UnsafeMutableRawPointer
  let outputStride: Int
  let lower: Float
  let upper: Float

  /// Computes all rows.
  @inline(__always)
  func compute(_ rows: Int) {
    var transposed = 0
    let isWide = columns > V.lanes
    #if SWIFTLET_AVX512
      if P.isTransposable, columns < V.panelColumns {
        let last = TransposedColumns<V>(columns: columns, rows: rows, taps: source.taps, tapWords: tapDepth)
        computeTransposed(last)
        transposed = last.rows
      }
    #endif
    if isWide { computeRows(from: transposed, to: rows, wide: true) }
    computeRows(from: isWide ? 0 : transposed, to: isWide ? transposed : rows, wide: false)
  }

  #if SWIFTLET_AVX512
    /// Computes the last columns with one row per lane.
    @inline(__always)
    private func computeTransposed(_ last: TransposedColumns<V>) {
      let start = panel + last.first &* 4
      let tile = TransposedTile(
        product: TransposedFloats<V>(), source: source, tapBytes: tapDepth &* 4, start: start,
        weights: start + 2 &* V.vectorBytes)
      let low = V.splat(lower), high = V.splat(upper)
      @inline(__always) func compute(_ columns: Int) {
        var row = 0
        while row < last.rows {
          let sums = tile.sums(columns: columns, row: row)
          V.storeColumns(
            last.count, sums.map { V.bits(V.clamp($0, low, high)) }, output + row &* outputStride + last.first &* 4,
            stride: outputStride)
          row &+= V.lanes
        }
      }
      if last.count > 4 {
        compute(8)
      } else {
        compute(4)
      }
    }
  #endif

  /// Computes a range of rows, in whole tiles and one smaller tile.
  @inline(__always)
  private func computeRows(from firstRow: Int, to rows: Int, wide: Bool) {
    var row = firstRow
    if !wide, V.tileRows > 5, !V.multipliesLanes {
      while row &+ 8 <= rows {
        computeEight(row: row)
        row &+= 8
      }
    }
    while row &+ V.tileRows <= rows {
      compute(V.tileRows, row: row, wide: wide)
      row &+= V.tileRows
    }
    switch rows &- row {
    case 5 where V.tileRows > 5: compute(5, row: row, wide: wide)
    case 4 where V.tileRows > 4: compute(4, row: row, wide: wide)
    case 3: compute(3, row: row, wide: wide)
    case 2: compute(2, row: row, wide: wide)
    case 1: compute(1, row: row, wide: wide)
    default: break
    }
  }

  /// Computes eight rows, starting at `row`, in the first vector of the panel. Eight rows have as many chains as
  /// multiply-adds can be in flight; six don't.
  @inline(__always)
  private func computeEight(row: Int) {
    var c0 = V.load(panel, 0)
    var c1 = c0, c2 = c0, c3 = c0, c4 = c0, c5 = c0, c6 = c0, c7 = c0
    var weights = panel + 2 &* V.vectorBytes
    var tap = 0
    while tap < source.taps {
      @inline(__always) func pointer(_ index: Int) -> UnsafeRawPointer {
        source.pointer(row: row &+ index, tap: tap)
      }
      let a0 = pointer(0), a1 = pointer(1), a2 = pointer(2), a3 = pointer(3)
      let a4 = pointer(4), a5 = pointer(5), a6 = pointer(6), a7 = pointer(7)
      var position = 0
      while position < P.wholeSteps(tapDepth) {
        let b = P.weights(weights, 0), byte = position &* 4
        c0 = P.add(c0, at: a0 + byte, b)
        c1 = P.add(c1, at: a1 + byte, b)
        c2 = P.add(c2, at: a2 + byte, b)
        c3 = P.add(c3, at: a3 + byte, b)
        c4 = P.add(c4, at: a4 + byte, b)
        c5 = P.add(c5, at: a5 + byte, b)
        c6 = P.add(c6, at: a6 + byte, b)
        c7 = P.add(c7, at: a7 + byte, b)
        weights += 2 &* V.vectorBytes
        position &+= 1
      }
      if P.isPaired, tapDepth & 1 != 0 {
        let b = P.weights(weights, 0), byte = position &* 4
        c0 = P.add(c0, P.singleInput(a0 + byte), b)
        c1 = P.add(c1, P.singleInput(a1 + byte), b)
        c2 = P.add(c2, P.singleInput(a2 + byte), b)
        c3 = P.add(c3, P.singleInput(a3 + byte), b)
        c4 = P.add(c4, P.singleInput(a4 + byte), b)
        c5 = P.add(c5, P.singleInput(a5 + byte), b)
        c6 = P.add(c6, P.singleInput(a6 + byte), b)
        c7 = P.add(c7, P.singleInput(a7 + byte), b)
        weights += 2 &* V.vectorBytes
      }
      tap &+= 1
    }
    let low = V.splat(lower), high = V.splat(upper)
    let first = output + row &* outputStride
    @inline(__always) func store(_ index: Int, _ x: V.F) {
      let pointer = first + index &* outputStride
      if columns >= V.lanes {
        V.store(V.clamp(x, low, high), pointer)
      } else {
        #if SWIFTLET_AVX2
          V.storeParts(columns, V.clamp(x, low, high), pointer)
        #else
          V.storeFirst(columns, V.clamp(x, low, high), pointer)
        #endif
      }
    }
    store(0, c0)
    store(1, c1)
    store(2, c2)
    store(3, c3)
    store(4, c4)
    store(5, c5)
    store(6, c6)
    store(7, c7)
  }

  /// Computes `count` rows, starting at `row`, in both vectors of the panel, or only in the first if the second would
  /// be padding. `count` and `wide` are constants, so that the code for other rows and columns is removed by inlining.
  @inline(__always)
  func compute(_ count: Int, row: Int, wide: Bool) {
    var c00 = V.load(panel, 0), c01 = V.load(panel, 1)
    var c10 = c00, c11 = c01, c20 = c00, c21 = c01, c30 = c00, c31 = c01, c40 = c00, c41 = c01, c50 = c00, c51 = c01
    var weights = panel + 2 &* V.vectorBytes
    var tap = 0
    while tap < source.taps {
      let a0 = source.pointer(row: row, tap: tap)
      let a1 = count > 1 ? source.pointer(row: row &+ 1, tap: tap) : a0
      let a2 = count > 2 ? source.pointer(row: row &+ 2, tap: tap) : a0
      let a3 = count > 3 ? source.pointer(row: row &+ 3, tap: tap) : a0
      let a4 = count > 4 ? source.pointer(row: row &+ 4, tap: tap) : a0
      let a5 = count > 5 ? source.pointer(row: row &+ 5, tap: tap) : a0
      @inline(__always) func step(_ byte: Int, isSingle: Bool) {
        let b0 = P.weights(weights, 0), b1 = wide ? P.weights(weights, 1) : b0
        @inline(__always) func accumulate(_ a: UnsafeRawPointer, _ c0: inout V.F, _ c1: inout V.F) {
          guard wide || isSingle else {
            c0 = P.add(c0, at: a + byte, b0)
            return
          }
          let x = isSingle ? P.singleInput(a + byte) : P.input(a + byte)
          c0 = P.add(c0, x, b0)
          if wide { c1 = P.add(c1, x, b1) }
        }
        accumulate(a0, &c00, &c01)
        if count > 1 { accumulate(a1, &c10, &c11) }
        if count > 2 { accumulate(a2, &c20, &c21) }
        if count > 3 { accumulate(a3, &c30, &c31) }
        if count > 4 { accumulate(a4, &c40, &c41) }
        if count > 5 { accumulate(a5, &c50, &c51) }
        weights += 2 &* V.vectorBytes
      }
      /// Computes four steps, whose inputs are lanes of one load.
      @inline(__always) func fourSteps(_ byte: Int) {
        let x0 = P.inputs(a0 + byte), x1 = P.inputs(a1 + byte), x2 = P.inputs(a2 + byte)
        let x3 = P.inputs(a3 + byte), x4 = P.inputs(a4 + byte), x5 = P.inputs(a5 + byte)
        @inline(__always) func step(_ index: Int) {
          let (b0, b1) = wide ? P.weightPair(weights) : (P.weights(weights, 0), P.weights(weights, 0))
          weights = V.advanced(weights, by: 2 &* V.vectorBytes)
          @inline(__always) func accumulate(_ inputs: P.Inputs, _ c0: inout V.F, _ c1: inout V.F) {
            let x = P.input(inputs, index)
            c0 = P.add(c0, x, b0)
            if wide { c1 = P.add(c1, x, b1) }
          }
          accumulate(x0, &c00, &c01)
          if count > 1 { accumulate(x1, &c10, &c11) }
          if count > 2 { accumulate(x2, &c20, &c21) }
          if count > 3 { accumulate(x3, &c30, &c31) }
          if count > 4 { accumulate(x4, &c40, &c41) }
          if count > 5 { accumulate(x5, &c50, &c51) }
        }
        step(0)
        step(1)
        step(2)
        step(3)
      }
      var position = 0
      if V.multipliesLanes {
        var left = P.wholeSteps(tapDepth) &>> 2
        while left != 0 {
          fourSteps(position &* 4)
          position &+= 4
          left &-= 1
        }
      }
      while position < P.wholeSteps(tapDepth) {
        step(position &* 4, isSingle: false)
        position &+= 1
      }
      if P.isPaired, tapDepth & 1 != 0 { step(position &* 4, isSingle: true) }
      tap &+= 1
    }
    let low = V.splat(lower), high = V.splat(upper)
    let first = output + row &* outputStride
    let second = columns &- V.lanes
    @inline(__always) func store(_ index: Int, _ c0: V.F, _ c1: V.F) {
      let pointer = first + index &* outputStride
      let x0 = V.clamp(c0, low, high)
      if wide {
        let x1 = V.clamp(c1, low, high)
        if second >= V.lanes {
          V.store(x0, pointer)
          V.store(x1, pointer + V.vectorBytes)
        } else {
          V.storeFirst(second, of: x1, behind: x0, pointer)
        }
      } else if columns >= V.lanes {
        V.store(x0, pointer)
      } else {
        V.storeFirst(columns, x0, pointer)
      }
    }
    store(0, c00, c01)
    if count > 1 { store(1, c10, c11) }
    if count > 2 { store(2, c20, c21) }
    if count > 3 { store(3, c30, c31) }
    if count > 4 { store(4, c40, c41) }
    if count > 5 { store(5, c50, c51) }
  }
}

/// Multiplies one row by four whole panels. Their eight chains keep the multiply-add units busy; the two chains of one
/// panel wouldn't.
@inline(__always)
private func gemmRow<P: GemmProduct>(
  _: P.Type, tapDepth: Int, source: RowSource, panel: UnsafeRawPointer, panelBytes: Int,
  output: UnsafeMutableRawPointer, lower: Float, upper: Float
) {
  typealias V = P.V
  var w0 = panel, w1 = panel + panelBytes, w2 = panel + 2 &* panelBytes, w3 = panel + 3 &* panelBytes
  var c00 = V.load(w0, 0), c01 = V.load(w0, 1), c10 = V.load(w1, 0), c11 = V.load(w1, 1)
  var c20 = V.load(w2, 0), c21 = V.load(w2, 1), c30 = V.load(w3, 0), c31 = V.load(w3, 1)
  var tap = 0
  while tap < source.taps {
    let a = source.pointer(row: 0, tap: tap)
    @inline(__always) func step(_ byte: Int, isSingle: Bool) {
      w0 += 2 &* V.vectorBytes
      w1 += 2 &* V.vectorBytes
      w2 += 2 &* V.vectorBytes
      w3 += 2 &* V.vectorBytes
      let x = isSingle ? P.singleInput(a + byte) : P.input(a + byte)
      c00 = P.add(c00, x, P.weights(w0, 0))
      c01 = P.add(c01, x, P.weights(w0, 1))
      c10 = P.add(c10, x, P.weights(w1, 0))
      c11 = P.add(c11, x, P.weights(w1, 1))
      c20 = P.add(c20, x, P.weights(w2, 0))
      c21 = P.add(c21, x, P.weights(w2, 1))
      c30 = P.add(c30, x, P.weights(w3, 0))
      c31 = P.add(c31, x, P.weights(w3, 1))
    }
    var position = 0
    while position < P.wholeSteps(tapDepth) {
      step(position &* 4, isSingle: false)
      position &+= 1
    }
    if P.isPaired, tapDepth & 1 != 0 { step(position &* 4, isSingle: true) }
    tap &+= 1
  }
  let low = V.splat(lower), high = V.splat(upper)
  @inline(__always) func store(_ index: Int, _ x: V.F) {
    V.store(V.clamp(x, low, high), output + index &* V.vectorBytes)
  }
  store(0, c00)
  store(1, c01)
  store(2, c10)
  store(3, c11)
  store(4, c20)
  store(5, c21)
  store(6, c30)
  store(7, c31)
}
