#if SWIFTLET_NEON && !SWIFTLET_DOTPROD
  /// Accumulation by products of eight bytes that are added in pairs, because Armv8.0 has no dot products. Each row and
  /// column has four partial sums, which are added at the end.
  struct WideningAccumulation: QuantizedAccumulation {
    typealias V = NEON

    let tapDepth: Int
    private let flip: RowFlip

    @inline(__always)
    init(tapDepth: Int, flip: Int32) {
      self.tapDepth = tapDepth
      self.flip = RowFlip(flip)
    }

    /// Two rows by eight columns take sixteen registers of sums. More don't fit.
    @inline(__always)
    func accumulate<Rows: TileRows>(
      _ count: Int, from rows: Rows, panel: QuantizedPanel<V>, wide: Bool, tile: inout QuantizedTile<V>
    ) {
      (tile.c00, tile.c10) = sums(count, from: rows, panel: panel, half: 0)
      if wide { (tile.c01, tile.c11) = sums(count, from: rows, panel: panel, half: 1) }
    }

    /// Multiplies one or two rows by half of a panel.
    @inline(__always)
    private func sums<Rows: TileRows>(
      _ count: Int, from rows: Rows, panel: QuantizedPanel<V>, half: Int
    ) -> (V.I, V.I) {
      var s00 = SIMD4<Int32>(), s01 = s00, s02 = s00, s03 = s00, s04 = s00, s05 = s00, s06 = s00, s07 = s00
      var s10 = s00, s11 = s00, s12 = s00, s13 = s00, s14 = s00, s15 = s00, s16 = s00, s17 = s00
      var weights = panel.weights + half &* 2 &* V.vectorBytes
      /// Multiplies eight bytes of each row, which are in the low half of one register and in the high half of another.
      @inline(__always) func multiply(
        _ low0: SIMD16<UInt8>, _ high0: SIMD16<UInt8>, _ low1: SIMD16<UInt8>, _ high1: SIMD16<UInt8>
      ) {
        let (w01, w23) = (load(weights, 0), load(weights, 16)), (w45, w67) = (load(weights, 32), load(weights, 48))
        s00 = swiftlet_add_low_products(s00, low0, w01)
        s01 = swiftlet_add_high_products(s01, high0, w01)
        s02 = swiftlet_add_low_products(s02, low0, w23)
        s03 = swiftlet_add_high_products(s03, high0, w23)
        s04 = swiftlet_add_low_products(s04, low0, w45)
        s05 = swiftlet_add_high_products(s05, high0, w45)
        s06 = swiftlet_add_low_products(s06, low0, w67)
        s07 = swiftlet_add_high_products(s07, high0, w67)
        if count > 1 {
          s10 = swiftlet_add_low_products(s10, low1, w01)
          s11 = swiftlet_add_high_products(s11, high1, w01)
          s12 = swiftlet_add_low_products(s12, low1, w23)
          s13 = swiftlet_add_high_products(s13, high1, w23)
          s14 = swiftlet_add_low_products(s14, low1, w45)
          s15 = swiftlet_add_high_products(s15, high1, w45)
          s16 = swiftlet_add_low_products(s16, low1, w67)
          s17 = swiftlet_add_high_products(s17, high1, w67)
        }
        weights += 4 &* V.vectorBytes
      }
      var tap = 0
      while tap < rows.taps {
        var a0 = rows.tap(0, tap)
        var a1 = count > 1 ? rows.tap(1, tap) : a0
        @inline(__always) func sweep(flips: Bool) {
          var left = tapDepth &>> 4
          while left != 0 {
            let x0 = flip.sixteen(a0, flips: flips), x1 = flip.sixteen(a1, flips: flips)
            let y0 = swiftlet_swapped(x0), y1 = count > 1 ? swiftlet_swapped(x1) : y0
            multiply(x0, y0, x1, y1)
            multiply(y0, x0, y1, x1)
            a0 += 16
            a1 += 16
            left &-= 1
          }
        }
        if flip.isNone { sweep(flips: false) } else { sweep(flips: true) }
        var rest = tapDepth & 15
        while rest > 0 {
          @inline(__always) func part(_ pointer: UnsafeRawPointer) -> SIMD16<UInt8> {
            let bytes = flip.first(rest, pointer, flips: true)
            return SIMD16(lowHalf: bytes, highHalf: bytes)
          }
          let x0 = part(a0), x1 = part(a1)
          multiply(x0, x0, x1, x1)
          a0 += 8
          a1 += 8
          rest &-= 8
        }
        tap &+= 1
      }
      let bias = panel.bias(half)
      let first = bias &+ swiftlet_added_up(s00, s01, s02, s03, s04, s05, s06, s07)
      return (first, count > 1 ? bias &+ swiftlet_added_up(s10, s11, s12, s13, s14, s15, s16, s17) : first)
    }

    @inline(__always)
    private func load(_ pointer: UnsafeRawPointer, _ offset: Int) -> SIMD16<UInt8> {
      pointer.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
    }
  }
#endif
