// Goals, in order: a tile's result depends only on the tile; vectors hold channels, so that all transforms are plain
// additions and multiplications of vectors; nothing is read or written outside the given tile.
//
// F(4×4, 3×3): sixteen outputs of a 3×3 convolution take 36 products instead of 144.

/// Transforms one tile of 6 × 6 pixels to its 36 frequencies, which are `planeStride` floats apart.
///
/// - Parameter scratch: Memory for 36 vectors.
@inline(__always)
func winogradInput<V: VectorISA>(
  _: V.Type, channels: Int, input: UnsafePointer<Float>, rowStride: Int, pixelStride: Int,
  scratch: UnsafeMutableRawPointer, output: UnsafeMutablePointer<Float>, planeStride: Int
) {
  var channel = 0
  while channel < channels {
    let count = min(V.lanes, channels &- channel)
    winogradInputVector(
      V.self, count: count, input: input + channel, rowStride: rowStride, pixelStride: pixelStride, scratch: scratch,
      output: output + channel, planeStride: planeStride)
    channel &+= V.lanes
  }
}

@inline(__always)
private func winogradInputVector<V: VectorISA>(
  _: V.Type, count: Int, input: UnsafePointer<Float>, rowStride: Int, pixelStride: Int,
  scratch: UnsafeMutableRawPointer, output: UnsafeMutablePointer<Float>, planeStride: Int
) {
  let isWhole = count == V.lanes
  var line = 0
  var source = input
  var target = scratch
  while line < 6 {
    @inline(__always) func pixel(_ row: Int) -> V.F {
      let place = source + row &* rowStride
      return isWhole ? V.load(place) : V.loadFirst(count, place)
    }
    let (t0, t1, t2, t3, t4, t5) = winogradInputLine(
      V.self, pixel(0), pixel(1), pixel(2), pixel(3), pixel(4), pixel(5))
    // The vertical frequencies of one pixel column are six vectors apart, so that a row of frequencies is contiguous.
    V.store(t0, target)
    V.store(t1, target + 6 &* V.vectorBytes)
    V.store(t2, target + 12 &* V.vectorBytes)
    V.store(t3, target + 18 &* V.vectorBytes)
    V.store(t4, target + 24 &* V.vectorBytes)
    V.store(t5, target + 30 &* V.vectorBytes)
    source += pixelStride
    target += V.vectorBytes
    line &+= 1
  }
  line = 0
  var row = UnsafeRawPointer(scratch)
  var result = output
  while line < 6 {
    let (t0, t1, t2, t3, t4, t5) = winogradInputLine(
      V.self, V.load(row, 0), V.load(row, 1), V.load(row, 2), V.load(row, 3), V.load(row, 4), V.load(row, 5))
    @inline(__always) func put(_ x: V.F) {
      if isWhole { V.store(x, result) } else { V.storeFirst(count, x, result) }
      result += planeStride
    }
    put(t0)
    put(t1)
    put(t2)
    put(t3)
    put(t4)
    put(t5)
    row += 6 &* V.vectorBytes
    line &+= 1
  }
}

/// Transforms six inputs in a line to their six frequencies.
@inline(__always)
private func winogradInputLine<V: VectorISA>(
  _: V.Type, _ d0: V.F, _ d1: V.F, _ d2: V.F, _ d3: V.F, _ d4: V.F, _ d5: V.F
) -> (V.F, V.F, V.F, V.F, V.F, V.F) {
  let four: V.F = V.splat(4), minusFour: V.F = V.splat(-4), minusFive: V.F = V.splat(-5)
  let two: V.F = V.splat(2), minusTwo: V.F = V.splat(-2)
  let evens = V.multiplyAdd(minusFour, d2, d4), odds = V.multiplyAdd(minusFour, d1, d3)
  let nearEvens = d4 - d2, nearOdds = d3 - d1
  return (
    V.multiplyAdd(four, d0, V.multiplyAdd(minusFive, d2, d4)), evens + odds, evens - odds,
    V.multiplyAdd(two, nearOdds, nearEvens), V.multiplyAdd(minusTwo, nearOdds, nearEvens),
    V.multiplyAdd(four, d1, V.multiplyAdd(minusFive, d3, d5))
  )
}

/// Transforms the 36 frequencies of a tile, which are `planeStride` floats apart, to `rows` × `columns` of its 4 × 4
/// outputs.
///
/// - Parameter scratch: Memory for 24 vectors.
@inline(__always)
func winogradOutput<V: VectorISA>(
  _: V.Type, channels: Int, input: UnsafePointer<Float>, planeStride: Int, bias: UnsafePointer<Float>?, lower: Float,
  upper: Float, scratch: UnsafeMutableRawPointer, output: UnsafeMutablePointer<Float>, rowStride: Int,
  pixelStride: Int, rows: Int, columns: Int
) {
  let low = V.splat(lower), high = V.splat(upper)
  var channel = 0
  while channel < channels {
    let count = min(V.lanes, channels &- channel)
    winogradOutputVector(
      V.self, count: count, input: input + channel, planeStride: planeStride, bias: bias.map { $0 + channel }, low: low,
      high: high, scratch: scratch, output: output + channel, rowStride: rowStride, pixelStride: pixelStride,
      rows: rows,
      columns: columns)
    channel &+= V.lanes
  }
}

@inline(__always)
private func winogradOutputVector<V: VectorISA>(
  _: V.Type, count: Int, input: UnsafePointer<Float>, planeStride: Int, bias: UnsafePointer<Float>?, low: V.F,
  high: V.F, scratch: UnsafeMutableRawPointer, output: UnsafeMutablePointer<Float>, rowStride: Int,
  pixelStride: Int, rows: Int, columns: Int
) {
  let isWhole = count == V.lanes
  @inline(__always) func load(_ place: UnsafePointer<Float>) -> V.F {
    isWhole ? V.load(place) : V.loadFirst(count, place)
  }
  let offset = bias.map { load($0) } ?? V.F()
  var line = 0
  var source = input
  var target = scratch
  while line < 6 {
    // Frequencies are stored in row-major order. This loop processes one column of them.
    let step = 6 &* planeStride
    let (y0, y1, y2, y3) = winogradOutputLine(
      V.self, load(source), load(source + step), load(source + 2 &* step), load(source + 3 &* step),
      load(source + 4 &* step), load(source + 5 &* step))
    V.store(y0, target)
    V.store(y1, target + 6 &* V.vectorBytes)
    V.store(y2, target + 12 &* V.vectorBytes)
    V.store(y3, target + 18 &* V.vectorBytes)
    source += planeStride
    target += V.vectorBytes
    line &+= 1
  }
  line = 0
  var row = UnsafeRawPointer(scratch)
  var result = output
  while line < rows {
    let (y0, y1, y2, y3) = winogradOutputLine(
      V.self, V.load(row, 0), V.load(row, 1), V.load(row, 2), V.load(row, 3), V.load(row, 4), V.load(row, 5))
    @inline(__always) func put(_ x: V.F, _ column: Int) {
      guard column < columns else { return }
      let clamped = V.clamp(x + offset, low, high)
      let place = result + column &* pixelStride
      if isWhole { V.store(clamped, place) } else { V.storeFirst(count, clamped, place) }
    }
    put(y0, 0)
    put(y1, 1)
    put(y2, 2)
    put(y3, 3)
    row += 6 &* V.vectorBytes
    result += rowStride
    line &+= 1
  }
}

/// Transforms six frequencies of a line to its four outputs.
@inline(__always)
private func winogradOutputLine<V: VectorISA>(
  _: V.Type, _ m0: V.F, _ m1: V.F, _ m2: V.F, _ m3: V.F, _ m4: V.F, _ m5: V.F
) -> (V.F, V.F, V.F, V.F) {
  let two: V.F = V.splat(2), four: V.F = V.splat(4), eight: V.F = V.splat(8)
  let near = m1 + m2, nearDifference = m1 - m2, far = m3 + m4, farDifference = m3 - m4
  return (
    (m0 + near) + far, V.multiplyAdd(two, farDifference, nearDifference), V.multiplyAdd(four, far, near),
    V.multiplyAdd(eight, farDifference, nearDifference) + m5
  )
}
