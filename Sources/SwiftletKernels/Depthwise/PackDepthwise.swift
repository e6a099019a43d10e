/// Byte weights less their zero point as floats, in the order they are in.
@inline(always)
func packDepthwise<V: VectorISA>(
  _: V.Type, count: Int, weights: UnsafeRawPointer, isSigned: Bool, zeroPoint: Int32,
  output: UnsafeMutablePointer<Float>
) {
  let element = ByteElement<V>(isSigned: isSigned, zeroPoint: zeroPoint)
  var index = 0
  while index &+ V.lanes <= count {
    V.store(element.load(weights + index), output + index)
    index &+= V.lanes
  }
  if index < count { V.storeFirst(count &- index, element.loadFirst(count &- index, weights + index), output + index) }
}
