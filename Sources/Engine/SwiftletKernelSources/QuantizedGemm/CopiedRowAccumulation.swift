#if SWIFTLET_AVX2 && !SWIFTLET_AVXVNNI
  /// Accumulation over rows from `RowCopies`, which have one tap of whole groups. Rows contribute no instructions but
  /// loads.
  struct CopiedRowAccumulation<V: GemmISA>: QuantizedAccumulation {
    let tapDepth: Int

    @inline(__always) static var readsCopies: Bool { true }

    /// - Parameter flip: Unused. Copies are already unsigned.
    @inline(__always)
    init(tapDepth: Int, flip: Int32) { self.tapDepth = tapDepth }

    @inline(__always)
    func accumulate<Rows: TileRows>(
      _ count: Int, from rows: Rows, panel: QuantizedPanel<V>, wide: Bool, tile: inout QuantizedTile<V>
    ) {
      var c00 = panel.bias(0), c01 = panel.bias(1)
      var c10 = c00, c11 = c01, c20 = c00, c21 = c01, c30 = c00, c31 = c01
      let a0 = rows.pointer(0, 0), a1 = rows.pointer(1, 0), a2 = rows.pointer(2, 0), a3 = rows.pointer(3, 0)
      var weights = panel.weights
      @inline(__always) func accumulate(
        _ copy: UnsafeRawPointer, _ b0: V.WeightBytes, _ b1: V.WeightBytes, _ c0: inout V.I, _ c1: inout V.I
      ) {
        let bytes = V.copiedInput(copy)
        c0 = V.dot(c0, bytes, b0)
        if wide { c1 = V.dot(c1, bytes, b1) }
      }
      let end = tapDepth &* V.copiedByteSize
      var offset = 0
      while offset < end {
        let b0 = V.weightBytes(V.loadInts(weights, 0)), b1 = wide ? V.weightBytes(V.loadInts(weights, 1)) : b0
        accumulate(a0 + offset, b0, b1, &c00, &c01)
        if count > 1 { accumulate(a1 + offset, b0, b1, &c10, &c11) }
        if count > 2 { accumulate(a2 + offset, b0, b1, &c20, &c21) }
        if count > 3 { accumulate(a3 + offset, b0, b1, &c30, &c31) }
        weights += 2 &* V.vectorBytes
        offset &+= RowCopies<V>.wordBytes
      }
      tile.c00 = c00
      tile.c01 = c01
      tile.c10 = c10
      tile.c11 = c11
      tile.c20 = c20
      tile.c21 = c21
      tile.c30 = c30
      tile.c31 = c31
    }
  }
#endif
