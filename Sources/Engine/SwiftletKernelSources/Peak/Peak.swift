// Loops that do nothing but what bounds a kernel: multiply-adds on registers, dot products on registers, one pass over
// memory. Benchmarks compare kernels with them in the same run, as a processor's clock and neighbors change from run
// to run.

/// Twelve independent chains, more than the latency of two multiply-add units takes. Chains start differently, or they
/// would become one.
///
/// - Parameters:
///   - input: two vectors of factors and summands, twelve of first values.
///   - output: room for twelve vectors.
@inline(__always)
func peakMultiplyAdds<V: VectorISA>(
  _: V.Type, iterations: Int, input: UnsafeRawPointer, output: UnsafeMutableRawPointer
) {
  let a = V.load(input, 0), b = V.load(input, 1)
  var c0 = V.load(input, 2), c1 = V.load(input, 3), c2 = V.load(input, 4), c3 = V.load(input, 5)
  var c4 = V.load(input, 6), c5 = V.load(input, 7), c6 = V.load(input, 8), c7 = V.load(input, 9)
  var c8 = V.load(input, 10), c9 = V.load(input, 11), c10 = V.load(input, 12), c11 = V.load(input, 13)
  var iteration = 0
  while iteration < iterations {
    c0 = V.multiplyAdd(c0, a, b)
    c1 = V.multiplyAdd(c1, a, b)
    c2 = V.multiplyAdd(c2, a, b)
    c3 = V.multiplyAdd(c3, a, b)
    c4 = V.multiplyAdd(c4, a, b)
    c5 = V.multiplyAdd(c5, a, b)
    c6 = V.multiplyAdd(c6, a, b)
    c7 = V.multiplyAdd(c7, a, b)
    c8 = V.multiplyAdd(c8, a, b)
    c9 = V.multiplyAdd(c9, a, b)
    c10 = V.multiplyAdd(c10, a, b)
    c11 = V.multiplyAdd(c11, a, b)
    iteration &+= 1
  }
  @inline(__always) func store(_ index: Int, _ x: V.F) { V.store(x, output + index &* V.vectorBytes) }
  store(0, c0)
  store(1, c1)
  store(2, c2)
  store(3, c3)
  store(4, c4)
  store(5, c5)
  store(6, c6)
  store(7, c7)
  store(8, c8)
  store(9, c9)
  store(10, c10)
  store(11, c11)
}

/// Input vectors of the loop below: as in a tile, two sums for each, six where the registers allow it and four
/// elsewhere.
@inline(__always)
func peakDotProductInputs<V: VectorISA>(_: V.Type) -> Int { V.quantizedTileRows >= 6 ? 6 : 4 }

/// The inputs stay, the weights change from step to step: where a dot product takes several instructions, the part that
/// does not depend on the sum would otherwise leave the loop.
///
/// - Parameters:
///   - input: six vectors.
///   - weights: sixteen vectors.
///   - output: room for twelve vectors.
@inline(__always)
func peakDotProducts<V: VectorISA>(
  _: V.Type, iterations: Int, input: UnsafeRawPointer, weights: UnsafeRawPointer, output: UnsafeMutableRawPointer
) {
  let isWide = peakDotProductInputs(V.self) == 6
  let none = V.splat(Int32(0))
  let a0 = V.inputBytes(V.loadInts(input, 0), flip: none), a1 = V.inputBytes(V.loadInts(input, 1), flip: none)
  let a2 = V.inputBytes(V.loadInts(input, 2), flip: none), a3 = V.inputBytes(V.loadInts(input, 3), flip: none)
  let a4 = V.inputBytes(V.loadInts(input, 4), flip: none), a5 = V.inputBytes(V.loadInts(input, 5), flip: none)
  var c00 = none, c01 = none, c10 = none, c11 = none, c20 = none, c21 = none
  var c30 = none, c31 = none, c40 = none, c41 = none, c50 = none, c51 = none
  var iteration = 0
  while iteration < iterations {
    let pair = weights + (iteration & 7) &* (2 &* V.vectorBytes)
    let b0 = V.weightBytes(V.loadInts(pair, 0)), b1 = V.weightBytes(V.loadInts(pair, 1))
    c00 = V.dot(c00, a0, b0)
    c01 = V.dot(c01, a0, b1)
    c10 = V.dot(c10, a1, b0)
    c11 = V.dot(c11, a1, b1)
    c20 = V.dot(c20, a2, b0)
    c21 = V.dot(c21, a2, b1)
    c30 = V.dot(c30, a3, b0)
    c31 = V.dot(c31, a3, b1)
    if isWide {
      c40 = V.dot(c40, a4, b0)
      c41 = V.dot(c41, a4, b1)
      c50 = V.dot(c50, a5, b0)
      c51 = V.dot(c51, a5, b1)
    }
    iteration &+= 1
  }
  @inline(__always) func store(_ index: Int, _ x: V.I) { V.store(x, output + index &* V.vectorBytes) }
  store(0, c00)
  store(1, c01)
  store(2, c10)
  store(3, c11)
  store(4, c20)
  store(5, c21)
  store(6, c30)
  store(7, c31)
  if isWide {
    store(8, c40)
    store(9, c41)
    store(10, c50)
    store(11, c51)
  }
}

/// Reads and writes: `output[i] = input[i] * factor`, whole vectors only. (A plain copy would become a call.)
@inline(__always)
func peakScale<V: VectorISA>(
  _: V.Type, count: Int, factor: Float, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>
) {
  let scale = V.splat(factor)
  var index = 0
  while index &+ 4 &* V.lanes <= count {
    let from = UnsafeRawPointer(input + index), to = UnsafeMutableRawPointer(output + index)
    let x0 = V.load(from, 0), x1 = V.load(from, 1), x2 = V.load(from, 2), x3 = V.load(from, 3)
    V.store(x0 * scale, to)
    V.store(x1 * scale, to + V.vectorBytes)
    V.store(x2 * scale, to + 2 &* V.vectorBytes)
    V.store(x3 * scale, to + 3 &* V.vectorBytes)
    index &+= 4 &* V.lanes
  }
}

/// Reads: stores the sums of every eighth vector of `input`, eight vectors; whole groups of eight only.
@inline(__always)
func peakSum<V: VectorISA>(_: V.Type, count: Int, input: UnsafePointer<Float>, output: UnsafeMutableRawPointer) {
  var s0 = V.splat(Float(0)), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0
  var index = 0
  while index &+ 8 &* V.lanes <= count {
    let from = UnsafeRawPointer(input + index)
    s0 = s0 + V.load(from, 0)
    s1 = s1 + V.load(from, 1)
    s2 = s2 + V.load(from, 2)
    s3 = s3 + V.load(from, 3)
    s4 = s4 + V.load(from, 4)
    s5 = s5 + V.load(from, 5)
    s6 = s6 + V.load(from, 6)
    s7 = s7 + V.load(from, 7)
    index &+= 8 &* V.lanes
  }
  @inline(__always) func store(_ index: Int, _ x: V.F) { V.store(x, output + index &* V.vectorBytes) }
  store(0, s0)
  store(1, s1)
  store(2, s2)
  store(3, s3)
  store(4, s4)
  store(5, s5)
  store(6, s6)
  store(7, s7)
}
