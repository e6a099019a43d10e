import SwiftletKernels

/// Partial results of a vector of elements. Sums have twice as many bits as elements: those of elements with an even
/// index, and with an odd index. A maximum is only in `even`.
struct PoolingPair<V: VectorISA> {
  var even: V.I
  var odd: V.I

  @inline(__always) static func + (a: PoolingPair, b: PoolingPair) -> PoolingPair {
    PoolingPair(even: a.even &+ b.even, odd: a.odd &+ b.odd)
  }
}

/// Pooling of integers. First, the rows of the windows are reduced for a block of image columns, whose partial results
/// stay in the L1 cache. Then, for every output pixel, columns are reduced.
///
/// The reductions of all types share the loops over pixels and vectors, which are most of the code.
struct IntegerPooling<V: VectorISA> {
  let isAverage: Bool
  let isInt16: Bool
  let geometry: DepthwiseGeometry
  let input: UnsafeRawPointer
  let output: UnsafeMutableRawPointer
  /// Whether maxima are computed without partial results: windows share few columns, and pixels fill vectors.
  let isDirect: Bool
  /// The number of output pixels per block.
  let blockColumns: Int
  /// The number of output pixels in one vector if the stride isn't 1.
  let pixelsPerVector: Int
  /// Two vectors of any bytes.
  let temporary: UnsafeMutableRawPointer
  /// Partial results of elements with an even index, or all maxima.
  let even: UnsafeMutableRawPointer
  let odd: UnsafeMutableRawPointer
  /// 0x80 in signed bytes, which are read as unsigned bytes 128 higher; otherwise 0.
  let flips: V.I
  /// The bounds of results, in the form in which they are compared.
  let lower: V.I
  let upper: V.I

  @inline(__always)
  init(
    isAverage: Bool, type: Int32, _ geometry: DepthwiseGeometry, input: UnsafeRawPointer,
    output: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer, blockColumns: Int, lower: Int32, upper: Int32
  ) {
    self.isAverage = isAverage
    isInt16 = type == 2
    self.geometry = geometry
    self.input = input
    self.output = output
    self.blockColumns = blockColumns
    let elementBytes = type == 2 ? 2 : 1
    pixelsPerVector = geometry.outputPixels(inVectorOf: V.vectorBytes &>> (elementBytes &- 1))
    let (width, stride) = (geometry.kernelWidth, geometry.columnStride)
    // For small windows that share a column or two, partial results take longer.
    isDirect =
      !isAverage && (stride >= width || stride > 1 && width <= 3 && geometry.kernelHeight <= 3)
      && geometry.channels &* elementBytes >= V.vectorBytes
    temporary = scratch
    even = scratch + DepthwiseGeometry.poolingSlack
    let bytes = geometry.pooledColumns(blockColumns) &* geometry.channels &* elementBytes
    odd = even + (bytes &+ DepthwiseGeometry.poolingSlack)
    let flip: Int32 = type == 1 ? 0x80 : 0
    flips = V.splat(flip &* 0x0101_0101)
    self.lower = V.splat(type == 2 ? lower &<< 16 | lower & 0xFFFF : (lower &+ flip) &* 0x0101_0101)
    self.upper = V.splat(type == 2 ? upper &<< 16 | upper & 0xFFFF : (upper &+ flip) &* 0x0101_0101)
  }

  @inline(__always) private var elementBytes: Int { isInt16 ? 2 : 1 }
  @inline(__always) private var pixelBytes: Int { geometry.channels &* elementBytes }

  @inline(__always)
  func compute(first: Int, last: Int) {
    let g = geometry
    var row = first
    while row < last {
      let top = row &* g.rowStride &- g.paddingTop
      let (tapRow, tapRowEnd) = DepthwiseGeometry.taps(g.kernelHeight, from: top, dilation: 1, size: g.inputHeight)
      let line = input + (top &+ tapRow) &* g.inputWidth &* pixelBytes
      var column = 0
      while column < g.outputWidth {
        let end = min(column &+ blockColumns, g.outputWidth)
        let start = column &* g.columnStride &- g.paddingLeft
        let left = max(0, start), right = min(g.inputWidth, start &+ g.pooledColumns(end &- column))
        let source = line + left &* pixelBytes, rows = tapRowEnd &- tapRow
        if !isDirect { reduceRows(source, rows: rows, bytes: (right &- left) &* pixelBytes) }
        reduceColumns(row, column, end, input: source, start: left, rows: rows)
        column = end
      }
      row &+= 1
    }
  }

  // MARK: Rows

  /// Reduces `rows` rows of `bytes` bytes to partial results.
  @inline(__always)
  private func reduceRows(_ first: UnsafeRawPointer, rows: Int, bytes: Int) {
    let lineBytes = geometry.inputWidth &* pixelBytes
    let isShort = bytes < V.vectorBytes
    // A tall window is read a few rows at a time, so that the CPU can fetch them in advance.
    var done = 0
    while done < rows {
      let end = isShort ? done &+ 1 : min(done &+ 8, rows)
      var position = 0
      while position < bytes {
        var at = position, from = done
        if position &+ V.vectorBytes > bytes && !isShort {
          // The last vector overlaps the previous one, and is reduced at the end, for all rows.
          guard end == rows else { break }
          at = bytes &- V.vectorBytes
          from = 0
        }
        var source = first + (from &* lineBytes &+ at)
        if isShort {
          V.store(loadFirstBytes(bytes, source), temporary)
          source = UnsafeRawPointer(temporary)
        }
        let start = from == 0 ? PoolingPair(even: isAverage ? V.I() : lower, odd: V.I()) : load(at)
        store(reduced(start, source, rows: end &- from, lineBytes: lineBytes), at)
        position &+= V.vectorBytes
      }
      done = end
    }
  }

  /// Adds a vector of `rows` rows to partial results.
  @inline(__always)
  private func reduced(_ start: PoolingPair<V>, _ first: UnsafeRawPointer, rows: Int, lineBytes: Int) -> PoolingPair<V>
  {
    let low = V.splat(0x00FF_00FF as Int32)
    var sum = start
    var x = first
    @inline(__always) func loop(_ add: (V.I) -> Void) {
      var row = 0
      while row < rows {
        add(V.loadInts(x) ^ flips)
        x += lineBytes
        row &+= 1
      }
    }
    switch (isAverage, isInt16) {
    case (true, true):
      loop {
        sum.even = sum.even &+ (($0 &<< 16) &>> 16)
        sum.odd = sum.odd &+ ($0 &>> 16)
      }
    case (true, false):
      loop {
        sum.even = sum.even &+ $0 & low
        sum.odd = sum.odd &+ ($0 &>> 8) & low
      }
    case (false, true): loop { sum.even = V.maximumInt16(sum.even, $0) }
    case (false, false): loop { sum.even = V.maximumBytes(sum.even, $0) }
    }
    return sum
  }

  /// Loads the first `bytes` bytes, fewer than a vector has.
  @inline(__always)
  private func loadFirstBytes(_ bytes: Int, _ pointer: UnsafeRawPointer) -> V.I {
    let x = V.loadFirstInts(bytes &>> 2, pointer)
    if bytes & 3 == 0 { return x }
    V.store(x, temporary)
    copyEnd(bytes, pointer, temporary)
    return V.loadInts(temporary)
  }

  /// Loads the partial results of the vector that is `position` bytes after the first element.
  @inline(__always)
  private func load(_ position: Int) -> PoolingPair<V> {
    guard isAverage else { return PoolingPair(even: V.loadInts(even + position), odd: V.I()) }
    let (first, second) = sums(position)
    return PoolingPair(even: V.loadInts(first), odd: V.loadInts(second))
  }

  @inline(__always)
  private func store(_ pair: PoolingPair<V>, _ position: Int) {
    guard isAverage else { return V.store(pair.even, even + position) }
    let (first, second) = sums(position)
    V.store(pair.even, first)
    V.store(pair.odd, second)
  }

  /// Returns the addresses of the sums of the elements at `position` and after it. Each is followed by the sums of every
  /// second element.
  @inline(__always)
  private func sums(_ position: Int) -> (UnsafeMutableRawPointer, UnsafeMutableRawPointer) {
    position & elementBytes == 0
      ? (even + position, odd + position) : (odd + (position &- elementBytes), even + (position &+ elementBytes))
  }

  // MARK: Columns

  /// Reduces partial results, which start at column `start` of the image, to output pixels `column ..< end`. `input` is
  /// the first row of the same columns.
  @inline(__always)
  private func reduceColumns(
    _ row: Int, _ column: Int, _ end: Int, input: UnsafeRawPointer, start: Int, rows: Int
  ) {
    let g = geometry, step = pixelBytes
    let isContiguous = g.columnStride == 1
    var target = output + (row &* g.outputWidth &+ column) &* step
    var room = (g.outputWidth &- column) &* step
    var column = column
    while column < end {
      let left = column &* g.columnStride &- g.paddingLeft
      let (tap, tapEnd) = DepthwiseGeometry.taps(g.kernelWidth, from: left, dilation: 1, size: g.inputWidth)
      let runEnd = min(column &+ g.equalWindows(from: column), end)
      var source = (left &+ tap &- start) &* step
      while column < runEnd {
        // A run of contiguous pixels, several pixels in a vector, or the channels of one pixel.
        let pixels = isContiguous ? runEnd &- column : min(runEnd &- column, pixelsPerVector)
        let areApart = pixels > 1 && !isContiguous
        let bytes = areApart ? V.vectorBytes : pixels &* step
        var position = 0
        while position < bytes {
          // The last vector of a row overlaps the previous one.
          let at = room >= V.vectorBytes ? min(position, room &- V.vectorBytes) : position
          let x = result(input, source &+ at, columns: tapEnd &- tap, rows: rows)
          if areApart {
            storePixels(
              V.self, pixels, of: x, pixelBytes: step, stride: g.columnStride &* step, target, room: room,
              temporary: temporary)
          } else {
            storeFirstBytes(V.self, bytes &- at, of: x, target + at, room: room &- at, temporary: temporary)
          }
          position &+= V.vectorBytes
        }
        source &+= pixels &* g.columnStride &* step
        target += pixels &* step
        room &-= pixels &* step
        column &+= pixels
      }
    }
  }

  /// Returns the elements of the output for `columns` adjacent pixels of partial results, each of `rows` elements.
  @inline(__always)
  private func result(_ input: UnsafeRawPointer, _ position: Int, columns: Int, rows: Int) -> V.I {
    let step = pixelBytes, count = rows &* columns
    var at = position, left = columns
    @inline(__always) func loop(_ add: (PoolingPair<V>) -> Void) {
      while left > 0 {
        add(load(at))
        at &+= step
        left &-= 1
      }
    }
    switch (isAverage, isInt16) {
    case (false, _):
      var maxima = PoolingPair<V>(even: lower, odd: V.I())
      if isDirect {
        let lineBytes = geometry.inputWidth &* step
        while left > 0 {
          let first = input + at
          if !isInt16, rows == 3 {
            // The most common windows.
            @inline(__always) func add(_ row: Int) {
              maxima.even = V.maximumBytes(maxima.even, V.loadInts(first + row &* lineBytes) ^ flips)
            }
            add(0)
            add(1)
            add(2)
          } else {
            maxima = reduced(maxima, first, rows: rows, lineBytes: lineBytes)
          }
          at &+= step
          left &-= 1
        }
      } else if isInt16 {
        loop { maxima.even = V.maximumInt16(maxima.even, $0.even) }
      } else {
        loop { maxima.even = V.maximumBytes(maxima.even, $0.even) }
      }
      return isInt16 ? V.minimumInt16(maxima.even, upper) : V.minimumBytes(maxima.even, upper) ^ flips
    case (true, true):
      var sum = PoolingPair<V>(even: V.I(), odd: V.I())
      loop { sum = sum + $0 }
      let means = meansOfInt16(sum.even, count) & V.splat(0xFFFF as Int32) | meansOfInt16(sum.odd, count) &<< 16
      return V.minimumInt16(V.maximumInt16(means, lower), upper)
    case (true, false):
      let low = V.splat(0xFFFF as Int32)
      var sum0 = V.I(), sum1 = V.I(), sum2 = V.I(), sum3 = V.I()
      // 16-bit sums of up to 257 bytes can't overflow.
      let most = count <= 257 ? columns : 1
      while left > 0 {
        var sum = load(at), index = 1
        at &+= step
        while index < most {
          sum = sum + load(at)
          at &+= step
          index &+= 1
        }
        left &-= most
        sum0 = sum0 &+ sum.even & low
        sum1 = sum1 &+ sum.odd & low
        sum2 = sum2 &+ (sum.even &>> 16) & low
        sum3 = sum3 &+ (sum.odd &>> 16) & low
      }
      let bytes =
        meansOfBytes(sum0, count) | meansOfBytes(sum1, count) &<< 8 | meansOfBytes(sum2, count) &<< 16
        | meansOfBytes(sum3, count) &<< 24
      return V.minimumBytes(V.maximumBytes(bytes, lower), upper) ^ flips
    }
  }

  /// Returns the means of `count` bytes, rounded half away from zero, for sums of unsigned bytes.
  ///
  /// That is ⌊(sum + ⌊count / 2⌋) / count⌋, but halves between negative integers are rounded down. Another 0.5 / count is
  /// added, so that quotients are at least that far from integers, and the errors of floats, below 2⁻¹⁴, don't matter.
  @inline(__always)
  private func meansOfBytes(_ sum: V.I, _ count: Int) -> V.I {
    let zero = (flips & V.splat(0x80 as Int32)) &* V.splat(Int32(truncatingIfNeeded: count))
    let negative = count & 1 == 0 ? (sum &- zero) &>> 31 : V.I()
    let factor = 1 / Float(count), half = (Float(count &>> 1) + 0.5) * factor
    return V.toIntTruncating(V.multiplyAdd(V.toFloat(sum &+ negative), V.splat(factor), V.splat(half)))
  }

  /// Returns the means of `count` 16-bit integers, rounded half away from zero. The quotient of floats differs from that
  /// of integers by at most 1.
  @inline(__always)
  private func meansOfInt16(_ sum: V.I, _ count: Int) -> V.I {
    let divisor = Int32(truncatingIfNeeded: count), sign = sum &>> 31
    let numerator = (sum ^ sign) &- sign &+ V.splat(divisor &>> 1)
    let quotient = V.toIntTruncating(V.toFloat(numerator) * V.splat(1 / Float(count)))
    let rest = numerator &- quotient &* V.splat(divisor)
    let mean = quotient &+ (rest &>> 31) &- ((V.splat(divisor &- 1) &- rest) &>> 31)
    return (mean ^ sign) &- sign
  }
}
