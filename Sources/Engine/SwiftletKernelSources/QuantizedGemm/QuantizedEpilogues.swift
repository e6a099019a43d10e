/// The step that turns the accumulators of a tile into results.
protocol QuantizedEpilogue {
  associatedtype V: GemmISA
  /// Stores `count` rows (1, 2, 4, or 6) starting at `row`, and `left` columns, at most a whole panel, starting at
  /// `column`.
  func store(_ tile: QuantizedTile<V>, count: Int, row: Int, column: Int, left: Int, panel: QuantizedPanel<V>)
  #if SWIFTLET_AVX512
    /// Stores as many rows as there are lanes, starting at `row`, and the columns from `column` on that `last` counts.
    /// Each sum is a column.
    func store(
      _ sums: TransposedSums<V.I>, _ last: TransposedColumns<V>, row: Int, column: Int, panel: QuantizedPanel<V>)
  #endif
}

extension QuantizedEpilogue {
  /// Stores a whole panel of row 0.
  @inline(__always)
  func store(_ x0: V.I, _ x1: V.I, column: Int, panel: QuantizedPanel<V>) {
    var tile = QuantizedTile<V>()
    tile.c00 = x0
    tile.c01 = x1
    store(tile, count: 1, row: 0, column: column, left: V.panelColumns, panel: panel)
  }
}

/// An epilogue that scales in float, rounds to nearest even, adds the zero point, clamps, and stores bytes. Scaled
/// accumulators fit in 32 bits.
struct RequantizingEpilogue<V: GemmISA>: QuantizedEpilogue {
  let rowTerms: RowTerms
  let output: UnsafeMutableRawPointer
  let outputStride: Int
  /// The zero point of signed bytes. For unsigned output, it is 128 lower, which `flip` compensates.
  let zeroPoint: Int32
  let lower: Int32
  let upper: Int32
  /// 0x80808080 for unsigned output; 0 for signed.
  let flip: Int32

  @inline(__always)
  func store(_ tile: QuantizedTile<V>, count: Int, row: Int, column: Int, left: Int, panel: QuantizedPanel<V>) {
    var tile = tile
    rowTerms.add(to: &tile, count: count, row: row)
    let zero = V.splat(zeroPoint &<< 16 | zeroPoint & 0xFFFF), flips = V.splat(flip)
    let low = V.splat((lower & 0xFF) &* 0x0101_0101), high = V.splat((upper & 0xFF) &* 0x0101_0101)
    let first = output + row &* outputStride + column
    @inline(__always) func bytes(
      _ x: V.I, _ y: V.I, _ z: V.I, _ w: V.I, _ scaleXZ: V.F, _ scaleYW: V.F
    ) -> (V.PanelBytes, V.PanelBytes) {
      V.saturatedBytes(
        V.toIntInRange(V.toFloat(x) * scaleXZ), V.toIntInRange(V.toFloat(y) * scaleYW),
        V.toIntInRange(V.toFloat(z) * scaleXZ), V.toIntInRange(V.toFloat(w) * scaleYW), zeroPoint: zero, lower: low,
        upper: high, flip: flips)
    }
    let scale0 = panel.scale(0)
    guard left > V.lanes else {
      // With one vector of columns, narrow four rows at a time.
      @inline(__always) func storeRows(_ index: Int, _ rows: Int, _ x: V.I, _ y: V.I, _ z: V.I, _ w: V.I) {
        let (xy, zw) = bytes(x, y, z, w, scale0, scale0)
        let pointer = first + index &* outputStride
        if left == V.lanes, rows == 4 {
          V.storePixels(xy, pointer, pointer + outputStride)
          V.storePixels(zw, pointer + 2 &* outputStride, pointer + 3 &* outputStride)
        } else {
          V.storeFirst(left, xy, pointer)
          if rows > 1 { V.storeFirst(left, V.secondHalf(xy), pointer + outputStride) }
          if rows > 2 {
            V.storeFirst(left, zw, pointer + 2 &* outputStride)
            V.storeFirst(left, V.secondHalf(zw), pointer + 3 &* outputStride)
          }
        }
      }
      storeRows(0, min(count, 4), tile.c00, tile.c10, tile.c20, tile.c30)
      if V.quantizedTileRows > 4, count > 4 { storeRows(4, 2, tile.c40, tile.c50, tile.c40, tile.c50) }
      return
    }
    let scale1 = panel.scale(1)
    @inline(__always) func pair(_ a0: V.I, _ a1: V.I, _ b0: V.I, _ b1: V.I) -> (V.PanelBytes, V.PanelBytes) {
      bytes(a0, a1, b0, b1, scale0, scale1)
    }
    let (r0, r1) = pair(tile.c00, tile.c01, tile.c10, tile.c11)
    let (r2, r3) = count > 2 ? pair(tile.c20, tile.c21, tile.c30, tile.c31) : (r0, r1)
    let (r4, r5) =
      V.quantizedTileRows > 4 && count > 4 ? pair(tile.c40, tile.c41, tile.c50, tile.c51) : (r0, r1)
    @inline(__always) func storeRows(_ storeRow: (_ bytes: V.PanelBytes, _ pointer: UnsafeMutableRawPointer) -> Void) {
      storeRow(r0, first)
      if count > 1 { storeRow(r1, first + outputStride) }
      if count > 2 {
        storeRow(r2, first + 2 &* outputStride)
        storeRow(r3, first + 3 &* outputStride)
      }
      if V.quantizedTileRows > 4, count > 4 {
        storeRow(r4, first + 4 &* outputStride)
        storeRow(r5, first + 5 &* outputStride)
      }
    }
    if left >= V.panelColumns {
      storeRows { $1.storeBytes(of: $0, as: V.PanelBytes.self) }
    } else {
      storeRows { V.storeFirst(left, $0, $1) }
    }
  }
}

/// An epilogue that stores the accumulators unchanged.
struct AccumulatingEpilogue<V: GemmISA>: QuantizedEpilogue {
  let rowTerms: RowTerms
  let output: UnsafeMutableRawPointer
  let outputStride: Int

  @inline(__always)
  func store(_ tile: QuantizedTile<V>, count: Int, row: Int, column: Int, left: Int, panel: QuantizedPanel<V>) {
    var tile = tile
    rowTerms.add(to: &tile, count: count, row: row)
    let first = output + row &* outputStride + column &* 4
    @inline(__always) func storeRow(_ index: Int, _ x0: V.I, _ x1: V.I) {
      let pointer = first + index &* outputStride
      if left >= V.panelColumns {
        V.store(x0, pointer)
        V.store(x1, pointer + V.vectorBytes)
      } else if left > V.lanes {
        V.store(x0, pointer)
        V.storeFirst(left &- V.lanes, x1, pointer + V.vectorBytes)
      } else {
        V.storeFirst(left, x0, pointer)
      }
    }
    storeRow(0, tile.c00, tile.c01)
    if count > 1 { storeRow(1, tile.c10, tile.c11) }
    if count > 2 {
      storeRow(2, tile.c20, tile.c21)
      storeRow(3, tile.c30, tile.c31)
    }
    if V.quantizedTileRows > 4, count > 4 {
      storeRow(4, tile.c40, tile.c41)
      storeRow(5, tile.c50, tile.c51)
    }
  }
}

/// An epilogue that subtracts the row's zero point, scales by row and column, adds the float bias, clamps, and stores
/// floats.
struct DynamicRangeEpilogue<V: GemmISA>: QuantizedEpilogue {
  let rowScales: UnsafePointer<Float>
  let rowZeroPoints: UnsafePointer<Int32>
  /// 1 for values per row; 0 for one value for all rows.
  let rowParameterStride: Int
  /// The zero-point offset of signed bytes that are read as unsigned: 128 or 0.
  let zeroPointOffset: Int32
  let output: UnsafeMutableRawPointer
  let outputStride: Int
  let lower: Float
  let upper: Float
  /// Whether to use XNNPACK's order of products, with the last one fused with the sum, instead of the reference's
  /// order.
  let isFused: Bool

  @inline(__always)
  private func zeroPoint(_ row: Int) -> V.I { V.splat(rowZeroPoints[row &* rowParameterStride] &+ zeroPointOffset) }

  @inline(__always)
  func store(_ tile: QuantizedTile<V>, count: Int, row: Int, column: Int, left: Int, panel: QuantizedPanel<V>) {
    let low = V.splat(lower), high = V.splat(upper)
    @inline(__always) func storeSums(_ index: Int, _ c0: V.I, _ c1: V.I) {
      let zero = zeroPoint(row &+ index)
      let scale = V.splat(rowScales[(row &+ index) &* rowParameterStride])
      @inline(__always) func floats(_ x: V.I, _ half: Int) -> V.F {
        // Each order makes float results bit-exact with one runtime, and therefore also the quantized values of the
        // next layer.
        let sum = V.toFloat(x &- zero &* panel.weightSum(half))
        return V.clamp(
          isFused
            ? V.multiplyAdd(sum * scale, panel.scale(half), panel.floatBias(half))
            : sum * panel.scale(half) * scale + panel.floatBias(half), low, high)
      }
      storeRow(
        floats(c0, 0), floats(c1, 1), row: row &+ index, column: column, left: left)
    }
    storeSums(0, tile.c00, tile.c01)
    if count > 1 { storeSums(1, tile.c10, tile.c11) }
    if count > 2 {
      storeSums(2, tile.c20, tile.c21)
      storeSums(3, tile.c30, tile.c31)
    }
    if V.quantizedTileRows > 4, count > 4 {
      storeSums(4, tile.c40, tile.c41)
      storeSums(5, tile.c50, tile.c51)
    }
  }
}

extension DynamicRangeEpilogue {
  /// Stores a panel of a row whose sums are already multiplied by the scales of the weights. The panel has the terms of
  /// the zero point, a sum of scaled weights for every column, in place of the scales.
  @inline(__always)
  func store(scaled x0: V.F, _ x1: V.F, row: Int, column: Int, left: Int, panel: QuantizedPanel<V>) {
    let zero = V.splat(Float(rowZeroPoints[row &* rowParameterStride]))
    let scale = V.splat(rowScales[row &* rowParameterStride]), low = V.splat(lower), high = V.splat(upper)
    @inline(__always) func floats(_ x: V.F, _ half: Int) -> V.F {
      V.clamp((x - zero * panel.scale(half)) * scale + panel.floatBias(half), low, high)
    }
    storeRow(floats(x0, 0), floats(x1, 1), row: row, column: column, left: left)
  }

  /// Stores the columns of a panel that exist.
  @inline(__always)
  private func storeRow(_ x0: V.F, _ x1: V.F, row: Int, column: Int, left: Int) {
    let pointer = output + row &* outputStride + column &* 4
    if left >= V.panelColumns {
      V.store(x0, pointer)
      V.store(x1, pointer + V.vectorBytes)
    } else if left > V.lanes {
      V.store(x0, pointer)
      V.storeFirst(left &- V.lanes, x1, pointer + V.vectorBytes)
    } else {
      V.storeFirst(left, x0, pointer)
    }
  }
}

/// The terms of the weight zero point, which are added to every accumulator of a row. `nil` if there are none.
struct RowTerms {
  let values: UnsafePointer<Int32>?

  @inline(__always)
  func add<V: VectorISA>(to tile: inout QuantizedTile<V>, count: Int, row: Int) {
    guard let values else { return }
    let first = values + row
    @inline(__always) func add(_ index: Int, _ x0: inout V.I, _ x1: inout V.I) {
      let term = V.splat(first[index])
      x0 = x0 &+ term
      x1 = x1 &+ term
    }
    add(0, &tile.c00, &tile.c01)
    if count > 1 { add(1, &tile.c10, &tile.c11) }
    if count > 2 {
      add(2, &tile.c20, &tile.c21)
      add(3, &tile.c30, &tile.c31)
    }
    if V.quantizedTileRows > 4, count > 4 {
      add(4, &tile.c40, &tile.c41)
      add(5, &tile.c50, &tile.c51)
    }
  }
}
