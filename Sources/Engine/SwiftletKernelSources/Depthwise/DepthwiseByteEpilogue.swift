/// An epilogue that stores 32-bit accumulators, or scales them in float, rounds to nearest even, and stores bytes.
struct DepthwiseByteEpilogue<V: VectorISA> {
  /// The scales, or nil to store accumulators.
  let scales: UnsafePointer<Float>?
  let output: UnsafeMutableRawPointer
  let isSigned: Bool
  /// The zero point of the output, in the output's own range.
  let zeroPoint: Int32
  let lower: Int32
  let upper: Int32

  /// Stores four vectors, the first at `element`.
  ///
  /// - Parameters:
  ///   - scale: The scales of the vectors, the same ones for all if they are shared.
  ///   - lastLanes: The number of lanes of the last vector.
  @inline(__always)
  func store(
    _ x0: V.I, _ x1: V.I, _ x2: V.I, _ x3: V.I, _ scale: UnsafeRawPointer, _ isShared: Bool, element: Int,
    _ piece: DepthwiseBytes<V>.Piece, _ lastLanes: Int
  ) {
    let distance = piece.distance
    @inline(__always) func scales(_ index: Int) -> UnsafeRawPointer {
      isShared ? scale : scale + index &* V.vectorBytes
    }
    guard self.scales != nil, lastLanes == V.lanes else {
      store(x0, scales(0), element: element, count: piece.lanes)
      store(x1, scales(1), element: element &+ distance, count: piece.lanes)
      store(x2, scales(2), element: element &+ 2 &* distance, count: piece.lanes)
      store(x3, scales(3), element: element &+ 3 &* distance, count: lastLanes)
      return
    }
    // Bytes are packed as signed. For unsigned output, 128 is subtracted, which `flip` compensates.
    let shift: Int32 = isSigned ? 0 : 128
    let flip = V.splat(isSigned ? 0 : Int32(bitPattern: 0x8080_8080))
    let zero = zeroPoint &- shift
    let zeros = V.splat(zero &<< 16 | zero & 0xFFFF), low = V.splat(((lower &- shift) & 0xFF) &* 0x0101_0101)
    let high = V.splat(((upper &- shift) & 0xFF) &* 0x0101_0101)
    @inline(__always) func scaled(_ x: V.I, _ index: Int) -> V.I {
      V.toIntInRange(V.toFloat(x) * V.load(scales(index)))
    }
    let (first, second) = V.saturatedBytes(
      scaled(x0, 0), scaled(x1, 1), scaled(x2, 2), scaled(x3, 3), zeroPoint: zeros, lower: low, upper: high, flip: flip)
    let to = output + element
    V.storePixels(first, to, to + distance)
    V.storePixels(second, to + 2 &* distance, to + 3 &* distance)
  }

  /// Stores the first `count` lanes of a vector.
  @inline(__always)
  func store(_ x: V.I, _ scale: UnsafeRawPointer, element: Int, count: Int) {
    guard scales != nil else {
      if count == V.lanes { V.store(x, output + element &* 4) } else { V.storeFirst(count, x, output + element &* 4) }
      return
    }
    let low = V.splat(Float(lower &- zeroPoint)), high = V.splat(Float(upper &- zeroPoint))
    let bytes = V.toIntInRange(V.bounded(V.toFloat(x) * V.load(scale), low, high)) &+ V.splat(zeroPoint)
    if count == V.lanes {
      V.storeBytes(bytes, output + element)
    } else {
      V.storeFirstBytes(count, bytes, output + element)
    }
  }
}
