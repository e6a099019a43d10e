/// An epilogue that adds the integer bias and stores 32-bit accumulators, or scales them in float, rounds to nearest
/// even, and stores bytes.
struct DepthwiseByteEpilogue<V: VectorISA> {
  typealias Target = DepthwiseBytes<V>.Target

  let bias: UnsafePointer<Int32>?
  /// The scales, or nil to store accumulators.
  let scales: UnsafePointer<Float>?
  let output: UnsafeMutableRawPointer
  let outputPixelStride: Int
  let isSigned: Bool
  /// The zero point of the output, in the output's own range.
  let zeroPoint: Int32
  let lower: Int32
  let upper: Int32

  @inline(__always) func bias(_ target: Target) -> V.I {
    guard let bias else { return V.I() }
    return target.channels == V.lanes
      ? V.loadInts(bias + target.channel) : V.loadFirstInts(target.channels, bias + target.channel)
  }

  /// Stores four adjacent pixels, the first at `element`.
  @inline(__always)
  func store(_ x0: V.I, _ x1: V.I, _ x2: V.I, _ x3: V.I, element: Int, _ target: Target) {
    guard let scales, target.channels == V.lanes else {
      store(x0, element: element, target)
      store(x1, element: element &+ outputPixelStride, target)
      store(x2, element: element &+ 2 &* outputPixelStride, target)
      store(x3, element: element &+ 3 &* outputPixelStride, target)
      return
    }
    // Bytes are packed as signed. For unsigned output, 128 is subtracted, which `flip` compensates.
    let shift: Int32 = isSigned ? 0 : 128
    let flip = V.splat(isSigned ? 0 : Int32(bitPattern: 0x8080_8080))
    let zero = zeroPoint &- shift
    let zeros = V.splat(zero &<< 16 | zero & 0xFFFF), low = V.splat(((lower &- shift) & 0xFF) &* 0x0101_0101)
    let high = V.splat(((upper &- shift) & 0xFF) &* 0x0101_0101), scale = V.load(scales + target.channel)
    let (first, second) = V.saturatedBytes(
      V.toIntInRange(V.toFloat(x0) * scale), V.toIntInRange(V.toFloat(x1) * scale),
      V.toIntInRange(V.toFloat(x2) * scale), V.toIntInRange(V.toFloat(x3) * scale), zeroPoint: zeros, lower: low,
      upper: high, flip: flip)
    let to = output + element
    V.storePixels(first, to, to + outputPixelStride)
    V.storePixels(second, to + 2 &* outputPixelStride, to + 3 &* outputPixelStride)
  }

  /// Stores the channels of one pixel.
  @inline(__always)
  func store(_ x: V.I, element: Int, _ target: Target) {
    let count = target.channels
    guard let scales else {
      if count == V.lanes { V.store(x, output + element &* 4) } else { V.storeFirst(count, x, output + element &* 4) }
      return
    }
    let low = V.splat(Float(lower &- zeroPoint)), high = V.splat(Float(upper &- zeroPoint))
    let isWhole = count == V.lanes
    let scale = isWhole ? V.load(scales + target.channel) : V.loadFirst(count, scales + target.channel)
    let bytes = V.toIntInRange(V.bounded(V.toFloat(x) * scale, low, high)) &+ V.splat(zeroPoint)
    if isWhole { V.storeBytes(bytes, output + element) } else { V.storeFirstBytes(count, bytes, output + element) }
  }
}
