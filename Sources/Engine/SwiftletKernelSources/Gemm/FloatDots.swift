// Goals, in order: a result doesn't depend on the rows and columns that are computed with it; nothing is read or written
// outside the given rows and columns; all lanes are in use.

/// Dot products of float32 rows with a few columns. Lanes are elements of a row, not columns, most of which would be
/// empty.
///
/// Four rows are multiplied by one or two columns at a time, so that enough sums are in progress. The lanes are added at
/// the end.
struct FloatDots<V: VectorISA> {
  let columns: Int
  let tapDepth: Int
  let source: RowSource
  /// The biases of the columns, and their weights. For every pair of columns, each tap has a vector of the first column,
  /// then one of the second, and so on. Its last vectors end with zeros.
  let biases: UnsafePointer<Float>
  let weights: UnsafeRawPointer
  let output: UnsafeMutablePointer<Float>
  let outputStride: Int
  let lower: Float
  let upper: Float

  @inline(__always)
  func compute(rows: Int) {
    let columnBytes = source.taps &* ((tapDepth &+ V.lanes &- 1) / V.lanes) &* V.vectorBytes
    var row = 0
    while row < rows {
      var column = 0
      while column < columns {
        let first = weights + column &* columnBytes
        if columns &- column > 1 {
          let (a, b) = sums(row, of: rows, columns: 2, first)
          store(a, row, of: rows, column)
          store(b, row, of: rows, column &+ 1)
        } else {
          store(sums(row, of: rows, columns: 1, first).0, row, of: rows, column)
        }
        column &+= 2
      }
      row &+= 4
    }
  }

  /// Stores a column of four rows, or of those that exist.
  @inline(__always)
  private func store(_ sums: SIMD4<Float>, _ row: Int, of rows: Int, _ column: Int) {
    let low = SIMD4(repeating: lower), high = SIMD4(repeating: upper)
    var x = sums + SIMD4(repeating: biases[column])
    // Comparisons with NaN are false.
    x.replace(with: low, where: x .< low)
    x.replace(with: high, where: x .> high)
    let target = output + (row &* outputStride &+ column)
    let left = rows &- row
    if outputStride == 1, left > 3 {
      UnsafeMutableRawPointer(target).storeBytes(of: x, as: SIMD4<Float>.self)
    } else {
      target[0] = x[0]
      if left > 1 { target[outputStride] = x[1] }
      if left > 2 { target[2 &* outputStride] = x[2] }
      if left > 3 { target[3 &* outputStride] = x[3] }
    }
  }

  /// Returns the products of four rows, from `row` on, with one or two columns. The last row takes the place of rows
  /// that don't exist.
  ///
  /// - Parameter columns: A constant.
  @inline(__always)
  private func sums(
    _ row: Int, of rows: Int, columns: Int, _ weights: UnsafeRawPointer
  ) -> (SIMD4<Float>, SIMD4<Float>) {
    let row1 = min(row &+ 1, rows &- 1), row2 = min(row &+ 2, rows &- 1), row3 = min(row &+ 3, rows &- 1)
    var a0 = V.F(), a1 = V.F(), a2 = V.F(), a3 = V.F(), b0 = V.F(), b1 = V.F(), b2 = V.F(), b3 = V.F()
    var weights = weights
    @inline(__always) func add(_ x0: V.F, _ x1: V.F, _ x2: V.F, _ x3: V.F) {
      let a = V.load(weights, 0)
      a0 = V.multiplyAdd(x0, a, a0)
      a1 = V.multiplyAdd(x1, a, a1)
      a2 = V.multiplyAdd(x2, a, a2)
      a3 = V.multiplyAdd(x3, a, a3)
      if columns > 1 {
        let b = V.load(weights, 1)
        b0 = V.multiplyAdd(x0, b, b0)
        b1 = V.multiplyAdd(x1, b, b1)
        b2 = V.multiplyAdd(x2, b, b2)
        b3 = V.multiplyAdd(x3, b, b3)
      }
      weights += columns &* V.vectorBytes
    }
    var tap = 0
    while tap < source.taps {
      let p0 = source.pointer(row: row, tap: tap), p1 = source.pointer(row: row1, tap: tap)
      let p2 = source.pointer(row: row2, tap: tap), p3 = source.pointer(row: row3, tap: tap)
      var at = 0, left = tapDepth
      while left >= V.lanes {
        add(V.load(p0 + at), V.load(p1 + at), V.load(p2 + at), V.load(p3 + at))
        at &+= V.vectorBytes
        left &-= V.lanes
      }
      if left > 0 {
        add(
          V.loadFirst(left, p0 + at), V.loadFirst(left, p1 + at), V.loadFirst(left, p2 + at), V.loadFirst(left, p3 + at)
        )
      }
      tap &+= 1
    }
    return (V.sums(a0, a1, a2, a3), columns > 1 ? V.sums(b0, b1, b2, b3) : SIMD4())
  }
}
