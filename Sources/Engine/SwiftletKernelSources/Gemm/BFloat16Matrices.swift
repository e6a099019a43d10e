#if SWIFTLET_NEON && SWIFTLET_BFLOAT16
  // Goals, in order: each output is one chain of products along the depth in ascending order, in every tile; nothing is
  // read or written outside the given rows and columns; sums stay in registers over the whole depth.

  /// Multiplication by matrix instructions: two rows of four values by two columns of four.
  enum BFloat16Matrices: BFloat16Multiplication, MatrixProduct {
    typealias V = NEON

    @inline(__always) static var flips: Bool { false }
    @inline(__always) static func add(_ sums: V.I, _ rows: SIMD16<UInt8>, _ columns: V.I) -> V.I {
      V.bits(swiftlet_bf16_add_matrix_products(V.floats(sums), rows, columns))
    }

    @inline(__always)
    static func multiply(
      rows: Int, columns: Int, tapDepth: Int, source: RowSource, panels: UnsafeRawPointer,
      output: UnsafeMutableRawPointer, outputStride: Int, lower: Float, upper: Float
    ) {
      let steps = source.taps &* ((tapDepth &+ 3) &>> 2)
      let sums = MatrixSums<Self>(tapBytes: 2 &* tapDepth, flip: RowFlip(0))
      let low = V.splat(lower), high = V.splat(upper)
      var column = 0
      var panel = panels
      while column < columns {
        let left = columns &- column
        let target = output + column &* 4
        @inline(__always) func compute(_ count: Int, row: Int, wide: Bool) {
          var tile = QuantizedTile<V>()
          sums.accumulate(
            count, from: TappedRows(source: source, row: row), start: (V.loadInts(panel, 0), V.loadInts(panel, 1)),
            weights: panel + 2 &* V.vectorBytes, wide: wide, tile: &tile)
          @inline(__always) func store(_ index: Int, _ x0: V.I, _ x1: V.I) {
            let pointer = target + (row &+ index) &* outputStride
            let first = V.clamp(V.floats(x0), low, high)
            guard wide else { return V.storeFirst(left, first, pointer) }
            V.store(first, pointer)
            V.storeFirst(left &- V.lanes, V.clamp(V.floats(x1), low, high), pointer + V.vectorBytes)
          }
          store(0, tile.c00, tile.c01)
          if count > 1 { store(1, tile.c10, tile.c11) }
          if count > 2 {
            store(2, tile.c20, tile.c21)
            store(3, tile.c30, tile.c31)
          }
        }
        @inline(__always) func computeRows(wide: Bool) {
          var row = 0
          while row &+ 4 <= rows {
            compute(4, row: row, wide: wide)
            row &+= 4
          }
          if rows & 2 != 0 {
            compute(2, row: row, wide: wide)
            row &+= 2
          }
          if rows & 1 != 0 { compute(1, row: row, wide: wide) }
        }
        if left > V.lanes { computeRows(wide: true) } else { computeRows(wide: false) }
        column &+= V.panelColumns
        panel += (2 &* steps &+ 1) &* 2 &* V.vectorBytes
      }
    }
  }
#endif
