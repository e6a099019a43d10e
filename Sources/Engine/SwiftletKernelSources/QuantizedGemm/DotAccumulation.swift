/// Accumulation by 4-way dot products. A lane of a panel's vector contains four consecutive bytes of its column.
struct DotAccumulation<V: GemmISA>: QuantizedAccumulation {
  let tapDepth: Int
  let flip: Int32

  @inline(__always) private var bytes: QuantizedRow<V> { QuantizedRow(tapDepth: tapDepth, flip: flip) }

  @inline(__always) static var takesEightRows: Bool { V.hasDotInstruction }

  /// With eight rows, there is no room for a second vector of columns, so the last two rows use its accumulators.
  @inline(__always)
  func accumulate<Rows: TileRows>(
    _ count: Int, from rows: Rows, panel: QuantizedPanel<V>, wide: Bool, tile: inout QuantizedTile<V>
  ) {
    var c00 = panel.bias(0), c01 = count > 7 ? c00 : panel.bias(1), unused = c00
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
      let a6 = count > 7 ? rows.pointer(6, tap) : a0
      let a7 = count > 7 ? rows.pointer(7, tap) : a0
      let start = rows.start(tap), end = start &+ whole
      var position = start
      while position < end {
        let at = position
        let b0 = V.weightBytes(V.loadInts(weights, 0)), b1 = wide ? V.weightBytes(V.loadInts(weights, 1)) : b0
        accumulate(bytes.four(a0, at), b0, b1, &c00, &c01)
        if count > 1 { accumulate(bytes.four(a1, at), b0, b1, &c10, &c11) }
        if count > 2 { accumulate(bytes.four(a2, at), b0, b1, &c20, &c21) }
        if count > 3 { accumulate(bytes.four(a3, at), b0, b1, &c30, &c31) }
        if count > 4 { accumulate(bytes.four(a4, at), b0, b1, &c40, &c41) }
        if count > 5 { accumulate(bytes.four(a5, at), b0, b1, &c50, &c51) }
        if count > 7 {
          accumulate(bytes.four(a6, at), b0, b1, &c01, &unused)
          accumulate(bytes.four(a7, at), b0, b1, &c11, &unused)
        }
        weights += 2 &* V.vectorBytes
        position &+= 4
      }
      if tail != 0 {
        let b0 = V.weightBytes(V.loadInts(weights, 0)), b1 = wide ? V.weightBytes(V.loadInts(weights, 1)) : b0
        accumulate(bytes.last(a0 + start), b0, b1, &c00, &c01)
        if count > 1 { accumulate(bytes.last(a1 + start), b0, b1, &c10, &c11) }
        if count > 2 { accumulate(bytes.last(a2 + start), b0, b1, &c20, &c21) }
        if count > 3 { accumulate(bytes.last(a3 + start), b0, b1, &c30, &c31) }
        if count > 4 { accumulate(bytes.last(a4 + start), b0, b1, &c40, &c41) }
        if count > 5 { accumulate(bytes.last(a5 + start), b0, b1, &c50, &c51) }
        if count > 7 {
          accumulate(bytes.last(a6 + start), b0, b1, &c01, &unused)
          accumulate(bytes.last(a7 + start), b0, b1, &c11, &unused)
        }
        weights += 2 &* V.vectorBytes
      }
      tap &+= 1
    }
    tile = QuantizedTile(
      c00: c00, c01: c01, c10: c10, c11: c11, c20: c20, c21: c21, c30: c30, c31: c31, c40: c40, c41: c41, c50: c50,
      c51: c51)
  }

  @inline(__always)
  func accumulateRow(
    from source: RowSource, panel: QuantizedPanel<V>, panelBytes: Int, tile: inout QuantizedTile<V>
  ) {
    bytes.accumulate(from: source, panel: panel, panelBytes: panelBytes, tile: &tile)
  }
}
