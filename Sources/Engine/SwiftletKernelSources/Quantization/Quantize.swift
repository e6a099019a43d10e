// Goals, in order: results bit-exact with the reference; one pass over memory.

/// Computes `clamp(round(x / scale) + zeroPoint)`, or `x * scale` with `isProduct`, as bytes. NaN becomes the smallest
/// value. Halves are rounded away from zero, or to even with `toEven`.
///
/// The bounds apply to signed bytes. For unsigned output, `flip` is 0x80808080, and the zero point and bounds are 128
/// lower; otherwise, `flip` is 0.
@inline(__always)
func quantizeBytes<V: VectorISA>(
  _: V.Type, count: Int, input: UnsafePointer<Float>, scale: Float, isProduct: Bool, toEven: Bool, zeroPoint: Int32,
  lower: Int32, upper: Int32, flip: Int32, output: UnsafeMutableRawPointer
) {
  let factor = V.splat(scale), flips = V.splat(flip)
  let zero = V.splat(zeroPoint &<< 16 | zeroPoint & 0xFFFF), low = V.splat((lower & 0xFF) &* 0x0101_0101)
  // The bounds are integers, so the result is the same whether clamping or rounding comes first.
  let least = V.splat(Float(lower &- zeroPoint)), most = V.splat(Float(upper &- zeroPoint))
  @inline(__always) func steps(_ x: V.F) -> V.I {
    let value = isProduct ? x * factor : x / factor
    let bounded = V.bounded(value, least, most)
    return toEven ? V.toIntInRange(bounded) : V.toIntAwayFromZero(bounded)
  }
  var index = 0
  while index &+ 4 &* V.lanes <= count {
    let from = input + index
    let (first, second) = V.boundedBytes(
      steps(V.load(from, 0)), steps(V.load(from, 1)), steps(V.load(from, 2)), steps(V.load(from, 3)), zeroPoint: zero,
      lower: low, upper: V.splat(0x7F7F_7F7F), flip: flips)
    (output + index).storeBytes(of: first, as: V.PanelBytes.self)
    (output + (index &+ 2 &* V.lanes)).storeBytes(of: second, as: V.PanelBytes.self)
    index &+= 4 &* V.lanes
  }
  if index &+ 2 &* V.lanes <= count {
    let x = steps(V.load(input + index, 0)), y = steps(V.load(input + index, 1))
    let (bytes, _) = V.boundedBytes(x, y, x, y, zeroPoint: zero, lower: low, upper: V.splat(0x7F7F_7F7F), flip: flips)
    (output + index).storeBytes(of: bytes, as: V.PanelBytes.self)
    index &+= 2 &* V.lanes
  }
  while index < count {
    let left = min(V.lanes, count &- index)
    let x = steps(V.loadFirst(left, input + index))
    let (bytes, _) = V.boundedBytes(x, x, x, x, zeroPoint: zero, lower: low, upper: V.splat(0x7F7F_7F7F), flip: flips)
    V.storeFirst(left, bytes, output + index)
    index &+= V.lanes
  }
}

/// Computes `clamp(round(x / scale) + zeroPoint)` as 16-bit integers. NaN becomes the smallest value.
@inline(__always)
func quantizeInt16<V: VectorISA>(
  _: V.Type, count: Int, input: UnsafePointer<Float>, scale: Float, zeroPoint: Int32, lower: Int32, upper: Int32,
  output: UnsafeMutableRawPointer
) {
  let factor = V.splat(scale), zero = V.splat(zeroPoint)
  let least = V.splat(Float(lower &- zeroPoint)), most = V.splat(Float(upper &- zeroPoint))
  @inline(__always) func quantized(_ x: V.F) -> V.I {
    V.toIntAwayFromZero(V.bounded(x / factor, least, most)) &+ zero
  }
  var index = 0
  while index &+ V.lanes <= count {
    V.storeInt16(quantized(V.load(input + index)), output + index &* 2)
    index &+= V.lanes
  }
  if index < count {
    let left = count &- index
    V.storeFirstInt16(left, quantized(V.loadFirst(left, input + index)), output + index &* 2)
  }
}

/// Computes `(quantized - zeroPoint) * scale` for bytes (`flip` is 0x80 for signed bytes) or 16-bit integers.
@inline(__always)
func dequantize<V: VectorISA>(
  _: V.Type, count: Int, input: UnsafeRawPointer, elementBytes: Int, flip: Int32, scale: Float, zeroPoint: Int32,
  output: UnsafeMutablePointer<Float>
) {
  let factor = V.splat(scale), zero = V.splat(zeroPoint &+ flip), flips = V.splat(flip)
  @inline(__always) func value(_ x: V.I) -> V.F { V.toFloat((x ^ flips) &- zero) * factor }
  var index = 0
  while index &+ V.lanes <= count {
    let from = input + index &* elementBytes
    V.store(value(elementBytes == 1 ? V.loadBytes(from) : V.loadInt16(from)), output + index)
    index &+= V.lanes
  }
  if index < count {
    let left = count &- index, from = input + index &* elementBytes
    V.storeFirst(
      left, value(elementBytes == 1 ? V.loadFirstBytes(left, from) : V.loadFirstInt16(left, from)), output + index)
  }
}

/// Converts float16 to float32, exactly.
@inline(__always)
func expandFloat16<V: VectorISA>(
  _: V.Type, count: Int, input: UnsafeRawPointer, output: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index &+ V.lanes <= count {
    V.store(V.loadFloat16(input + index &* 2), output + index)
    index &+= V.lanes
  }
  if index < count {
    let left = count &- index
    V.storeFirst(left, V.loadFirstFloat16(left, input + index &* 2), output + index)
  }
}
