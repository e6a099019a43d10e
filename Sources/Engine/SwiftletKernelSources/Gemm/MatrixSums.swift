#if SWIFTLET_NEON
  /// A product of small matrices: two rows of eight bytes by two columns of eight, for any element type.
  protocol MatrixProduct {
    /// Adds the products of two rows and two columns to the four sums in each register.
    static func add(_ sums: NEON.I, _ rows: SIMD16<UInt8>, _ columns: NEON.I) -> NEON.I
    /// Whether inputs are bytes whose sign bits may have to be flipped.
    static var flips: Bool { get }
  }

  /// The sums of a tile, computed by matrix products. In packed weights, eight bytes of each column are adjacent.
  struct MatrixSums<Product: MatrixProduct> {
    typealias V = NEON

    /// The number of bytes in one tap of a row.
    let tapBytes: Int
    /// The flip that is applied to input bytes before they are multiplied.
    let flip: RowFlip

    /// Multiplies `count` rows (1, 2, or 4) by one panel, or by its first vector unless `wide`. Both are constants, so
    /// that the code for other rows and columns is removed by inlining.
    ///
    /// - Parameters:
    ///   - start: The initial sums of every row.
    @inline(__always)
    func accumulate<Rows: TileRows>(
      _ count: Int, from rows: Rows, start: (V.I, V.I), weights panel: UnsafeRawPointer, wide: Bool,
      tile: inout QuantizedTile<V>
    ) {
      // One vector holds four columns of two rows: columns 0 … 3, 4 … 7, and so on.
      let (b0, b1) = V.matrices(start.0), (b2, b3) = V.matrices(start.1)
      var s00 = b0, s01 = b1, s02 = b2, s03 = b3, s10 = b0, s11 = b1, s12 = b2, s13 = b3
      var weights = panel
      @inline(__always) func multiply(_ x0: SIMD16<UInt8>, _ x1: SIMD16<UInt8>) {
        let (w0, w1) = V.loadIntPair(weights)
        s00 = Product.add(s00, x0, w0)
        s01 = Product.add(s01, x0, w1)
        if count > 2 {
          s10 = Product.add(s10, x1, w0)
          s11 = Product.add(s11, x1, w1)
        }
        if wide {
          let (w2, w3) = V.loadIntPair(weights + 2 &* V.vectorBytes)
          s02 = Product.add(s02, x0, w2)
          s03 = Product.add(s03, x0, w3)
          if count > 2 {
            s12 = Product.add(s12, x1, w2)
            s13 = Product.add(s13, x1, w3)
          }
        }
        weights += 4 &* V.vectorBytes
      }
      var tap = 0
      while tap < rows.taps {
        var a0 = rows.tap(0, tap)
        var a1 = count > 1 ? rows.tap(1, tap) : a0
        var a2 = count > 2 ? rows.tap(2, tap) : a0
        var a3 = count > 3 ? rows.tap(3, tap) : a0
        @inline(__always) func sweep(flips: Bool) {
          @inline(__always) func bytes(_ pointer: UnsafeRawPointer) -> SIMD16<UInt8> {
            flip.sixteen(pointer, flips: flips)
          }
          var left = tapBytes &>> 4
          while left != 0 {
            let x0 = bytes(a0), x1 = bytes(a1), x2 = bytes(a2), x3 = bytes(a3)
            multiply(swiftlet_low_pair(x0, x1), swiftlet_low_pair(x2, x3))
            multiply(swiftlet_high_pair(x0, x1), swiftlet_high_pair(x2, x3))
            a0 += 16
            a1 += 16
            a2 += 16
            a3 += 16
            left &-= 1
          }
        }
        // One extra instruction per row is expensive compared with so few products.
        if !Product.flips || flip.isNone { sweep(flips: false) } else { sweep(flips: true) }
        var rest = tapBytes & 15
        while rest > 0 {
          @inline(__always) func part(_ pointer: UnsafeRawPointer) -> SIMD8<UInt8> {
            flip.first(rest, pointer, flips: Product.flips)
          }
          multiply(joined(part(a0), part(a1)), joined(part(a2), part(a3)))
          a0 += 8
          a1 += 8
          a2 += 8
          a3 += 8
          rest &-= 8
        }
        tap &+= 1
      }
      (tile.c00, tile.c10) = V.rows(s00, s01)
      if wide { (tile.c01, tile.c11) = V.rows(s02, s03) }
      if count > 2 {
        (tile.c20, tile.c30) = V.rows(s10, s11)
        if wide { (tile.c21, tile.c31) = V.rows(s12, s13) }
      }
    }

    /// Returns eight bytes of two rows in one vector.
    @inline(__always)
    private func joined(_ first: SIMD8<UInt8>, _ second: SIMD8<UInt8>) -> SIMD16<UInt8> {
      SIMD16(lowHalf: first, highHalf: second)
    }
  }

  extension NEON {
    /// Returns the values of eight columns in the layout of two equal rows.
    @inline(__always) static func matrices(_ row: I) -> (I, I) { (swiftlet_matrices_0(row), swiftlet_matrices_1(row)) }
    /// Returns the two rows of eight columns.
    @inline(__always) static func rows(_ a: I, _ b: I) -> (I, I) { (swiftlet_rows_0(a, b), swiftlet_rows_1(a, b)) }
  }
#endif
