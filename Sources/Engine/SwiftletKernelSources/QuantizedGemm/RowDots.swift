// Goals, in order: sums are exact, modulo 2³²; nothing is read or written outside the given rows and columns; every
// lane of a product belongs to the same row and column.

/// Dot products of rows of bytes with a few columns. Lanes are bytes of a row, not columns, most of which would be empty.
///
/// The bytes of a row and of a column are multiplied a vector at a time, and the lanes are added at the end. Four sums
/// are in progress: those of four rows by one column, of two rows by two, or of one row by three or four. More columns
/// than four are divided into groups of four.
struct RowDots<V: VectorISA> {
  let tapDepth: Int
  let source: RowSource
  /// 0x80808080 to read signed bytes as unsigned bytes 128 higher; 0 to read them unchanged.
  let flip: Int32
  /// Weights from `packRowDots`, without the header.
  let weights: UnsafeRawPointer
  /// The first term of each column.
  let starts: UnsafePointer<Int32>
  /// A term for each row, if there are any.
  let rowTerms: UnsafePointer<Int32>?

  /// Stores the sums row by row, without gaps.
  @inline(__always)
  func compute(rows: Int, columns: Int, output: UnsafeMutablePointer<Int32>) {
    switch columns {
    case 1: compute(rows: rows, columns: 1, step: 4, output: output)
    case 2: compute(rows: rows, columns: 2, step: 2, output: output)
    case 3: compute(rows: rows, columns: 3, step: 1, output: output)
    default: computeGroups(rows: rows, columns: columns, output: output)
    }
  }

  /// - Parameters:
  ///   - columns: The number of columns, a constant.
  ///   - step: The number of rows in progress, a constant.
  @inline(__always)
  private func compute(rows: Int, columns: Int, step: Int, output: UnsafeMutablePointer<Int32>) {
    // Three columns have a fourth sum, which the next row overwrites.
    let (s0, s1) = (starts[0], columns > 1 ? starts[1] : starts[0])
    let first = SIMD4(s0, s1, columns > 2 ? starts[2] : s0, s1)
    var row = 0
    while row < rows {
      // The last row takes the place of those that don't exist.
      let row1 = min(row &+ (columns == 1 ? 1 : 0), rows &- 1)
      let row2 = min(row &+ (columns == 1 ? 2 : columns == 2 ? 1 : 0), rows &- 1)
      let row3 = min(row &+ (columns == 1 ? 3 : columns == 2 ? 1 : 0), rows &- 1)
      var sums = first &+ dots(row, row1, row2, row3, columns: columns, weights)
      if let rowTerms { sums = sums &+ SIMD4(rowTerms[row], rowTerms[row1], rowTerms[row2], rowTerms[row3]) }
      store(sums, output + row &* columns, left: (rows &- row) &* columns)
      row &+= step
    }
  }

  /// Computes one row at a time by groups of four columns. The sums of columns that don't exist are overwritten by the
  /// next row.
  @inline(__always)
  private func computeGroups(rows: Int, columns: Int, output: UnsafeMutablePointer<Int32>) {
    let vectors = source.taps &* ((tapDepth &+ V.vectorBytes &- 1) / V.vectorBytes)
    var row = 0
    while row < rows {
      let term = rowTerms.map { $0[row] } ?? 0
      var group = weights
      var column = 0
      while column < columns {
        let first = UnsafeRawPointer(starts + column).loadUnaligned(as: SIMD4<Int32>.self)
        let sums = first &+ SIMD4(repeating: term) &+ dots(row, row, row, row, columns: 4, group)
        store(sums, output + (row &* columns &+ column), left: (rows &- row) &* columns &- column)
        group += vectors &* 4 &* MemoryLayout<V.WeightBytes>.size
        column &+= 4
      }
      row &+= 1
    }
  }

  /// Stores four sums, or the first `left`.
  @inline(__always)
  private func store(_ sums: SIMD4<Int32>, _ target: UnsafeMutablePointer<Int32>, left: Int) {
    if left > 3 {
      UnsafeMutableRawPointer(target).storeBytes(of: sums, as: SIMD4<Int32>.self)
    } else {
      target[0] = sums[0]
      if left > 1 { target[1] = sums[1] }
      if left > 2 { target[2] = sums[2] }
    }
  }

  /// Returns four dot products: those of each row with the only column, of the first and third row with two columns, or
  /// of the first row with four.
  @inline(__always)
  private func dots(
    _ row0: Int, _ row1: Int, _ row2: Int, _ row3: Int, columns: Int, _ weights: UnsafeRawPointer
  ) -> SIMD4<Int32> {
    var c0 = V.I(), c1 = V.I(), c2 = V.I(), c3 = V.I()
    var weights = weights
    let flips = V.splat(V.inputFlip(flip)), bytes = MemoryLayout<V.WeightBytes>.size
    @inline(__always) func add(_ load: (UnsafeRawPointer) -> V.I, _ a: Rows) {
      @inline(__always) func row(_ pointer: UnsafeRawPointer) -> V.InputBytes {
        V.inputBytes(load(pointer), flip: flips)
      }
      @inline(__always) func column(_ index: Int) -> V.WeightBytes {
        (weights + index &* bytes).loadUnaligned(as: V.WeightBytes.self)
      }
      let x0 = row(a.0), w0 = column(0)
      c0 = V.dot(c0, x0, w0)
      if columns == 1 {
        c1 = V.dot(c1, row(a.1), w0)
        c2 = V.dot(c2, row(a.2), w0)
        c3 = V.dot(c3, row(a.3), w0)
      } else if columns == 2 {
        let x2 = row(a.2), w1 = column(1)
        c1 = V.dot(c1, x0, w1)
        c2 = V.dot(c2, x2, w0)
        c3 = V.dot(c3, x2, w1)
      } else {
        c1 = V.dot(c1, x0, column(1))
        c2 = V.dot(c2, x0, column(2))
        if columns > 3 { c3 = V.dot(c3, x0, column(3)) }
      }
      weights += columns &* bytes
    }
    var tap = 0
    while tap < source.taps {
      let first = source.pointer(row: row0, tap: tap)
      let third = columns < 3 ? source.pointer(row: row2, tap: tap) : first
      var a = (
        first, columns == 1 ? source.pointer(row: row1, tap: tap) : first, third,
        columns == 1 ? source.pointer(row: row3, tap: tap) : first
      )
      var left = tapDepth
      while left >= V.vectorBytes {
        add({ V.loadInts($0) }, a)
        a = (a.0 + V.vectorBytes, a.1 + V.vectorBytes, a.2 + V.vectorBytes, a.3 + V.vectorBytes)
        left &-= V.vectorBytes
      }
      let words = left &>> 2
      if words > 0 { add({ V.loadFirstInts(words, $0) }, a) }
      tap &+= 1
    }
    return V.sums(c0, c1, c2, c3)
  }

  private typealias Rows = (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer)
}

/// Packs byte weights for `RowDots`. A header of eight first terms and eight sums of weights is followed by one vector of
/// every column, then by the next, for every tap. The last vector of a tap ends with zeros. More than four columns are
/// groups of four, one after the other, the last of which ends with columns of zeros.
///
/// `packBytes` explains the first terms.
@inline(__always)
func packRowDots<V: VectorISA>(
  _: V.Type, columns: Int, taps: Int, tapDepth: Int, weights: ByteWeights, weightZeroPoint: Int32,
  inputZeroPoint: Int32, bias: UnsafePointer<Int32>?, output: UnsafeMutableRawPointer
) {
  let constant = Int32(truncatingIfNeeded: taps &* tapDepth) &* inputZeroPoint &* weightZeroPoint
  let bytes = MemoryLayout<V.WeightBytes>.size
  let groupColumns = min(columns, 4), padded = columns > 4 ? (columns &+ 3) & ~3 : columns
  var target = output + 64
  var column = 0
  while column < padded {
    let groupStart = target
    var sum = V.I()
    var tap = 0
    while tap < taps {
      var channel = 0
      while channel < tapDepth {
        var lane = 0
        while lane < V.lanes {
          let at = channel &+ lane &* 4
          let word =
            at < tapDepth && column < columns
            ? weights.word(column: column, tap: tap, channel: at, count: tapDepth &- at) : 0
          target.storeBytes(of: word, toByteOffset: lane &* 4, as: UInt32.self)
          lane &+= 1
        }
        let vector = V.weightBytes(V.loadInts(target))
        sum = V.dot(sum, V.inputBytes(V.splat(0x0101_0101), flip: V.I()), vector)
        target.storeBytes(of: vector, as: V.WeightBytes.self)
        target += groupColumns &* bytes
        channel &+= V.vectorBytes
      }
      tap &+= 1
    }
    let total = V.sum(sum)
    let start =
      constant &- (inputZeroPoint &- V.inputOffset) &* total &+ (column < columns ? bias.map { $0[column] } ?? 0 : 0)
    output.storeBytes(of: start, toByteOffset: column &* 4, as: Int32.self)
    output.storeBytes(of: total, toByteOffset: 32 &+ column &* 4, as: Int32.self)
    column &+= 1
    // The next column of the group, or the first of the next group.
    target = column == padded || column & 3 == 0 ? target - (groupColumns &- 1) &* bytes : groupStart + bytes
  }
}
