#if SWIFTLET_I8MM
  /// Accumulation by matrix instructions: two rows of eight bytes by two columns of eight.
  struct MatrixAccumulation: QuantizedAccumulation {
    typealias V = NEON

    private let sums: MatrixSums<ByteMatrices>

    @inline(__always)
    init(tapDepth: Int, flip: Int32) {
      sums = MatrixSums(tapBytes: tapDepth, flip: RowFlip(flip))
    }

    @inline(__always)
    func accumulate<Rows: TileRows>(
      _ count: Int, from rows: Rows, panel: QuantizedPanel<V>, wide: Bool, tile: inout QuantizedTile<V>
    ) {
      sums.accumulate(
        count, from: rows, start: (panel.bias(0), panel.bias(1)), weights: panel.weights, wide: wide, tile: &tile)
    }
  }

  enum ByteMatrices: MatrixProduct {
    @inline(__always) static var flips: Bool { true }
    @inline(__always) static func add(_ sums: NEON.I, _ rows: SIMD16<UInt8>, _ columns: NEON.I) -> NEON.I {
      swiftlet_add_matrix_products(sums, rows, columns)
    }
  }
#endif
