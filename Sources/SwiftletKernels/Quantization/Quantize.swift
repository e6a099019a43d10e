// Goals, in order: the reference's result in every bit; one pass over memory.

/// Rounds half away from zero: adding the float below one half and truncating does not round 0.49999997 up.
@inline(always)
private func roundedAway<V: VectorISA>(_: V.Type, _ x: V.F) -> V.I {
  V.toIntTruncating(x + V.withSign(of: x, V.splat(0x1.fffffep-2)))
}

/// `clamp(round(x / scale) + zeroPoint)`, or, with `isProduct`, `clamp(round(zeroPoint + x * scale))`.
@inline(always)
func quantize<V: VectorISA, Store: NarrowStore>(
  _: V.Type, _: Store.Type, count: Int, input: UnsafePointer<Float>, scale: Float, isProduct: Bool, zeroPoint: Int32,
  lower: Int32, upper: Int32, output: UnsafeMutableRawPointer
) {
  let factor = V.splat(scale), low = V.splat(lower), high = V.splat(upper), zero = V.splat(zeroPoint)
  let offset = V.toFloat(zero)
  // Far enough out for every bound, near enough for the conversion.
  let least = V.splat(-0x1p24 as Float), most = V.splat(0x1p24 as Float)
  @inline(always) func code(_ x: V.F) -> V.I {
    if isProduct {
      return V.clamp(roundedAway(V.self, V.clamp(offset + x * factor, least, most)), low, high)
    }
    return V.clamp(roundedAway(V.self, V.clamp(x / factor, least, most)) &+ zero, low, high)
  }
  var index = 0
  while index &+ V.lanes <= count {
    Store.store(V.self, code(V.load(input + index)), output + index &* Store.bytes)
    index &+= V.lanes
  }
  if index < count {
    let left = count &- index
    Store.storeFirst(V.self, left, code(V.loadFirst(left, input + index)), output + index &* Store.bytes)
  }
}

/// `(code - zeroPoint) * scale` of bytes (`flip` 0x80 for signed ones) or 16-bit integers.
@inline(always)
func dequantize<V: VectorISA>(
  _: V.Type, count: Int, input: UnsafeRawPointer, elementBytes: Int, flip: Int32, scale: Float, zeroPoint: Int32,
  output: UnsafeMutablePointer<Float>
) {
  let factor = V.splat(scale), zero = V.splat(zeroPoint &+ flip), flips = V.splat(flip)
  @inline(always) func value(_ x: V.I) -> V.F { V.toFloat((x ^ flips) &- zero) * factor }
  var index = 0
  while index &+ V.lanes <= count {
    let from = input + index &* elementBytes
    V.store(value(elementBytes == 1 ? V.loadBytes(from) : V.loadHalves(from)), output + index)
    index &+= V.lanes
  }
  if index < count {
    let left = count &- index, from = input + index &* elementBytes
    V.storeFirst(
      left, value(elementBytes == 1 ? V.loadFirstBytes(left, from) : V.loadFirstHalves(left, from)), output + index)
  }
}

/// 16-bit floats to 32-bit ones, exactly.
@inline(always)
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
