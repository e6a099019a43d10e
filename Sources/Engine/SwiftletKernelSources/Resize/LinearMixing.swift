/// Interpolates between two rows, element by element: the vertical step of bilinear interpolation.
///
/// - Types: float32; int8, interpolated to int32 with weights in units of 1/1024, which is exact; uint8, only scaled,
///   to float32.
@inline(__always)
func mixRows<V: VectorISA>(
  _ isa: V.Type, _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ secondWeight: Float, count: Int,
  output: UnsafeMutablePointer<Float>
) {
  let share = V.splat(secondWeight)
  var index = 0
  while index &+ V.lanes <= count {
    V.store(mixed(isa, V.load(first + index), V.load(second + index), share), output + index)
    index &+= V.lanes
  }
  guard index < count else { return }
  let rest = count &- index
  V.storeFirst(
    rest, mixed(isa, V.loadFirst(rest, first + index), V.loadFirst(rest, second + index), share), output + index)
}

/// Interpolates between two vectors by the weight of the second, with the roundings of XNNPACK, which fuses the sum
/// only on arm64.
@inline(__always)
func mixed<V: VectorISA>(_ isa: V.Type, _ first: V.F, _ second: V.F, _ share: V.F) -> V.F {
  #if SWIFTLET_NEON
    V.multiplyAdd(second - first, share, first)
  #else
    first + (second - first) * share
  #endif
}

@inline(__always)
func mixed(_ first: Float, _ second: Float, _ share: Float) -> Float {
  #if SWIFTLET_NEON && !SWIFTLET_UNFUSED
    first.addingProduct(second - first, share)
  #else
    first + (second - first) * share
  #endif
}

@inline(__always)
func mixRows<V: VectorISA>(
  _ isa: V.Type, _ first: UnsafePointer<Int8>, _ second: UnsafePointer<Int8>, _ firstWeight: Int32,
  _ secondWeight: Int32, count: Int, output: UnsafeMutablePointer<Int32>
) {
  let (w0, w1) = (V.splat(firstWeight), V.splat(secondWeight))
  var index = 0
  while index &+ V.lanes <= count {
    V.store(
      signed(V.loadBytes(first + index)) &* w0 &+ signed(V.loadBytes(second + index)) &* w1, output + index)
    index &+= V.lanes
  }
  guard index < count else { return }
  let rest = count &- index
  let (a, b) = (V.loadFirstBytes(rest, first + index), V.loadFirstBytes(rest, second + index))
  V.storeFirst(rest, signed(a) &* w0 &+ signed(b) &* w1, output + index)
}

/// Sign-extends the low bytes.
@inline(__always)
private func signed<Vector: SIMD>(_ bytes: Vector) -> Vector where Vector.Scalar == Int32 {
  (bytes &<< 24) &>> 24
}

@inline(__always)
func scaleRow<V: VectorISA>(
  _ isa: V.Type, _ row: UnsafePointer<UInt8>, by weight: Float, count: Int, output: UnsafeMutablePointer<Float>
) {
  let w = V.splat(weight)
  var index = 0
  while index &+ V.lanes <= count {
    V.store(V.toFloat(V.loadBytes(row + index)) * w, output + index)
    index &+= V.lanes
  }
  guard index < count else { return }
  let rest = count &- index
  V.storeFirst(rest, V.toFloat(V.loadFirstBytes(rest, row + index)) * w, output + index)
}
