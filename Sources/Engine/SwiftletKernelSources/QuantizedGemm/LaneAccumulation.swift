#if SWIFTLET_NEON
  /// Accumulation by 4-way dot products with a lane of a register, so that one load serves sixteen bytes of a row.
  struct LaneAccumulation: QuantizedAccumulation {
    typealias V = NEON

    let tapDepth: Int
    let flip: Int32

    @inline(__always) private var bytes: QuantizedRow<V> { QuantizedRow(tapDepth: tapDepth, flip: flip) }

    @inline(__always)
    func accumulate<Rows: TileRows>(
      _ count: Int, from rows: Rows, panel: QuantizedPanel<V>, wide: Bool, tile: inout QuantizedTile<V>
    ) {
      var c00 = panel.bias(0), c01 = panel.bias(1)
      var c10 = c00, c11 = c01, c20 = c00, c21 = c01, c30 = c00, c31 = c01
      var weights = panel.weights
      let rowFlip = RowFlip(flip)
      @inline(__always) func group(
        _ index: Int, _ x0: SIMD4<Int32>, _ x1: SIMD4<Int32>, _ x2: SIMD4<Int32>, _ x3: SIMD4<Int32>
      ) {
        let row = weights + 2 &* index &* V.vectorBytes
        let (b0, b1) = wide ? V.loadIntPair(row) : (V.loadInts(row), V.loadInts(row))
        @inline(__always) func accumulate(_ x: SIMD4<Int32>, _ c0: inout V.I, _ c1: inout V.I) {
          let bytes = V.splat(x[index])
          c0 = V.dot(c0, bytes, b0)
          if wide { c1 = V.dot(c1, bytes, b1) }
        }
        accumulate(x0, &c00, &c01)
        if count > 1 { accumulate(x1, &c10, &c11) }
        if count > 2 { accumulate(x2, &c20, &c21) }
        if count > 3 { accumulate(x3, &c30, &c31) }
      }
      var tap = 0
      while tap < rows.taps {
        var a0 = rows.tap(0, tap)
        var a1 = count > 1 ? rows.tap(1, tap) : a0
        var a2 = count > 2 ? rows.tap(2, tap) : a0
        var a3 = count > 3 ? rows.tap(3, tap) : a0
        @inline(__always) func sweep(flips: Bool) {
          @inline(__always) func words(_ run: UnsafeRawPointer) -> SIMD4<Int32> {
            unsafeBitCast(rowFlip.sixteen(run, flips: flips), to: SIMD4<Int32>.self)
          }
          var left = tapDepth &>> 4
          while left != 0 {
            let x0 = words(a0), x1 = words(a1), x2 = words(a2), x3 = words(a3)
            group(0, x0, x1, x2, x3)
            group(1, x0, x1, x2, x3)
            group(2, x0, x1, x2, x3)
            group(3, x0, x1, x2, x3)
            weights += 8 &* V.vectorBytes
            a0 += 16
            a1 += 16
            a2 += 16
            a3 += 16
            left &-= 1
          }
        }
        // One extra instruction per row costs a sixteenth of the row's products.
        if rowFlip.isNone { sweep(flips: false) } else { sweep(flips: true) }
        // Up to three full groups, and one of fewer than four bytes.
        var rest = tapDepth & 15
        while rest > 0 {
          @inline(__always) func first(_ run: UnsafeRawPointer) -> SIMD4<Int32> {
            let word = rest > 3 ? run.loadUnaligned(as: Int32.self) : bytes.last(of: rest, run)
            return SIMD4(repeating: word ^ flip)
          }
          group(0, first(a0), first(a1), first(a2), first(a3))
          weights += 2 &* V.vectorBytes
          a0 += 4
          a1 += 4
          a2 += 4
          a3 += 4
          rest &-= 4
        }
        tap &+= 1
      }
      tile = QuantizedTile(c00: c00, c01: c01, c10: c10, c11: c11, c20: c20, c21: c21, c30: c30, c31: c31)
    }

    @inline(__always)
    func accumulateRow(
      from source: RowSource, panel: QuantizedPanel<V>, panelBytes: Int, tile: inout QuantizedTile<V>
    ) {
      bytes.accumulate(from: source, panel: panel, panelBytes: panelBytes, tile: &tile)
    }
  }
#endif
