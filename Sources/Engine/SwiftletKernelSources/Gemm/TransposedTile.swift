#if SWIFTLET_AVX512
  // Goals, in order: the sums are the same, in the same order, as in the other tiles; every lane computes, also if
  // there are fewer columns than lanes; nothing is read or written outside the given rows and columns.

  /// The multiplication of one word of each row, the lanes, by one word of a column.
  protocol TransposedProduct {
    associatedtype V: TransposingISA
    associatedtype Words
    associatedtype Sum

    /// Returns one word of every row in the form that `add` reads.
    func words(_ x: V.I) -> Words
    /// Returns the first terms of a column.
    func start(_ pointer: UnsafeRawPointer) -> Sum
    func add(_ sum: Sum, _ words: Words, _ weight: UnsafeRawPointer) -> Sum
  }

  /// Float32 by float32.
  struct TransposedFloats<V: TransposingISA>: TransposedProduct {
    @inline(__always) func words(_ x: V.I) -> V.F { V.floats(x) }
    @inline(__always) func start(_ pointer: UnsafeRawPointer) -> V.F { V.splat(pointer.load(as: Float.self)) }
    @inline(__always) func add(_ sum: V.F, _ words: V.F, _ weight: UnsafeRawPointer) -> V.F {
      V.multiplyAdd(words, V.splat(weight.load(as: Float.self)), sum)
    }
  }

  /// Four bytes by four bytes.
  struct TransposedBytes<V: TransposingISA>: TransposedProduct {
    let flip: V.I

    @inline(__always) func words(_ x: V.I) -> V.InputBytes { V.inputBytes(x, flip: flip) }
    @inline(__always) func start(_ pointer: UnsafeRawPointer) -> V.I { V.splat(pointer.load(as: Int32.self)) }
    @inline(__always) func add(_ sum: V.I, _ words: V.InputBytes, _ weight: UnsafeRawPointer) -> V.I {
      V.dot(sum, words, V.weightBytes(V.splat(weight.load(as: Int32.self))))
    }
  }

  /// The sums of up to eight columns, one vector of rows each.
  struct TransposedSums<Sum> {
    typealias Four = (Sum, Sum, Sum, Sum)
    var first: Four
    var second: Four

    @inline(__always)
    func map<Result>(_ body: (Sum) -> Result) -> TransposedSums<Result> { map(from: 0) { sum, _ in body(sum) } }

    /// Returns the results of `body` for each sum and its column. `column` is the first one.
    @inline(__always)
    func map<Result>(from column: Int, _ body: (Sum, Int) -> Result) -> TransposedSums<Result> {
      @inline(__always) func four(_ x: Four, _ column: Int) -> TransposedSums<Result>.Four {
        (body(x.0, column), body(x.1, column &+ 1), body(x.2, column &+ 2), body(x.3, column &+ 3))
      }
      return TransposedSums<Result>(first: four(first, column), second: four(second, column &+ 4))
    }
  }

  /// The columns of a product that are multiplied with one row per lane: the last ones, if they fill at most half of a
  /// vector.
  struct TransposedColumns<V: TransposingISA> {
    /// The first column, counted from the start of its panel, and the number of columns.
    let first: Int
    let count: Int
    /// The number of rows, a multiple of the lanes. The other tiles compute the rest.
    let rows: Int

    /// - Parameter tapWords: The number of words of a row's tap, including a partial last one.
    @inline(__always)
    init(columns: Int, rows: Int, taps: Int, tapWords: Int) {
      let inPanel = (columns &- 1) % V.panelColumns &+ 1
      first = inPanel > V.lanes ? V.lanes : 0
      count = inPanel &- first
      // The products that are saved must outweigh the loads of quads and pointers and the stores of quads. The weights
      // are products that take as long, as measured on Zen 4.
      let saved = tapWords &* (V.lanes &- (count > 4 ? 8 : 4))
      let loads = 12 &+ (tapWords &+ 3) / 4 &* 12 &+ (tapWords & 3 == 0 ? 0 : 16)
      let isFaster = count > 0 && count <= 8 && taps &* (saved &- loads) > 40
      self.rows = isFaster ? rows & (0 &- V.lanes) : 0
    }
  }

  /// The multiplication of as many rows as there are lanes by up to eight columns of a panel.
  struct TransposedTile<Product: TransposedProduct> {
    typealias V = Product.V
    typealias Four = TransposedSums<Product.Sum>.Four

    let product: Product
    let source: RowSource
    /// The size of a row's tap.
    let tapBytes: Int
    /// The first terms and the weights of the first column. The words of a column have a distance of two vectors.
    let start: UnsafeRawPointer
    let weights: UnsafeRawPointer

    /// Computes four or eight columns. `columns` is a constant. The sums of other columns are unspecified.
    @inline(__always)
    func sums(columns: Int, row: Int) -> TransposedSums<Product.Sum> {
      let first = four(start)
      var sums = TransposedSums(first: first, second: columns > 4 ? four(start + 16) : first)
      var weights = weights
      let step = 2 &* V.vectorBytes, rest = tapBytes & 15
      var tap = 0
      while tap < source.taps {
        let rows = LaneRows<V>(source: source, row: row, tap: tap)
        var position = 0
        while position &+ 16 <= tapBytes {
          let at = position
          let words = rows.words { $0.loadUnaligned(fromByteOffset: at, as: SIMD4<Int32>.self) }
          add(words.0, columns, weights, &sums)
          add(words.1, columns, weights + step, &sums)
          add(words.2, columns, weights + 2 &* step, &sums)
          add(words.3, columns, weights + 3 &* step, &sums)
          weights += 4 &* step
          position &+= 16
        }
        if rest != 0 {
          let at = position
          let words = rows.words { V.loadFirstBytesOfQuad(rest, $0 + at) }
          add(words.0, columns, weights, &sums)
          if rest > 4 { add(words.1, columns, weights + step, &sums) }
          if rest > 8 { add(words.2, columns, weights + 2 &* step, &sums) }
          if rest > 12 { add(words.3, columns, weights + 3 &* step, &sums) }
          weights += (rest &+ 3) &>> 2 &* step
        }
        tap &+= 1
      }
      return sums
    }

    @inline(__always)
    private func four(_ pointer: UnsafeRawPointer) -> Four {
      (product.start(pointer), product.start(pointer + 4), product.start(pointer + 8), product.start(pointer + 12))
    }

    @inline(__always)
    private func add(
      _ x: V.I, _ columns: Int, _ weights: UnsafeRawPointer, _ sums: inout TransposedSums<Product.Sum>
    ) {
      let words = product.words(x)
      add(words, weights, &sums.first)
      if columns > 4 { add(words, weights + 16, &sums.second) }
    }

    @inline(__always)
    private func add(_ words: Product.Words, _ weights: UnsafeRawPointer, _ sums: inout Four) {
      sums.0 = product.add(sums.0, words, weights)
      sums.1 = product.add(sums.1, words, weights + 4)
      sums.2 = product.add(sums.2, words, weights + 8)
      sums.3 = product.add(sums.3, words, weights + 12)
    }
  }

  /// A tap of as many rows as there are lanes, at most sixteen.
  private struct LaneRows<V: TransposingISA> {
    typealias Four = (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer)
    let first: Four
    let second: Four
    let third: Four
    let fourth: Four

    @inline(__always)
    init(source: RowSource, row: Int, tap: Int) {
      @inline(__always) func four(_ index: Int) -> Four {
        @inline(__always) func pointer(_ row: Int) -> UnsafeRawPointer { source.pointer(row: row, tap: tap) }
        let row = row &+ index
        return (pointer(row), pointer(row &+ 1), pointer(row &+ 2), pointer(row &+ 3))
      }
      first = four(0)
      second = four(4)
      third = four(8)
      fourth = four(12)
    }

    /// Returns four words of every row, one vector per word. `quad` loads the words of a row.
    @inline(__always)
    func words(_ quad: (UnsafeRawPointer) -> SIMD4<Int32>) -> (V.I, V.I, V.I, V.I) {
      let (a, b, c, d) = V.joined { index in
        let four = index < 4 ? first : index < 8 ? second : index < 12 ? third : fourth
        switch index & 3 {
        case 0: return quad(four.0)
        case 1: return quad(four.1)
        case 2: return quad(four.2)
        default: return quad(four.3)
        }
      }
      return V.transposedWords(a, b, c, d)
    }
  }

  extension TransposingISA {
    /// Stores `columns` 32-bit values (1 … 8) of as many rows as there are lanes. Each vector is a column.
    @inline(__always)
    static func storeColumns(
      _ columns: Int, _ x: TransposedSums<I>, _ output: UnsafeMutableRawPointer, stride: Int
    ) {
      storeFour(columns, x.first, output, stride: stride)
      if columns > 4 { storeFour(columns &- 4, x.second, output + 16, stride: stride) }
    }

    @inline(__always)
    private static func storeFour(
      _ columns: Int, _ x: (I, I, I, I), _ output: UnsafeMutableRawPointer, stride: Int
    ) {
      let rows = transposedWords(x.0, x.1, x.2, x.3)
      @inline(__always) func store(_ index: Int, _ x: I) {
        forEachQuad(x) { quad, group in
          let pointer = output + (4 &* group &+ index) &* stride
          if columns >= 4 {
            pointer.storeBytes(of: quad, as: SIMD4<Int32>.self)
          } else {
            storeFirstWords(columns, quad, pointer)
          }
        }
      }
      store(0, rows.0)
      store(1, rows.1)
      store(2, rows.2)
      store(3, rows.3)
    }
  }
#endif
