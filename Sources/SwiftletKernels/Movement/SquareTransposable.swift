/// An element of which small squares can be transposed in registers.
///
/// Interleaving two vectors is a loop over lanes here, which the optimiser turns into one instruction because the types are concrete.
protocol SquareTransposable: BitwiseCopyable {
  static var squareSide: Int { get }

  /// `squareSide` rows by as many columns; strides in bytes as in `BlockTransposition`.
  static func transposeSquare(
    _ source: UnsafeRawPointer, _ sourceStride: Int, _ destination: UnsafeMutableRawPointer, _ destinationStride: Int)
}

extension UInt8: SquareTransposable {
  static var squareSide: Int { 8 }

  @inline(__always)
  static func transposeSquare(
    _ source: UnsafeRawPointer, _ sourceStride: Int, _ destination: UnsafeMutableRawPointer, _ destinationStride: Int
  ) {
    @inline(__always) func column(_ index: Int) -> SIMD8<UInt8> {
      source.loadUnaligned(fromByteOffset: index &* sourceStride, as: SIMD8<UInt8>.self)
    }
    // Every round doubles the distance in columns of what lies side by side.
    let (a, b) = (woven(column(0), column(4)), woven(column(1), column(5)))
    let (c, d) = (woven(column(2), column(6)), woven(column(3), column(7)))
    let (e, f) = (wovenLow(a, c), wovenHigh(a, c))
    let (g, h) = (wovenLow(b, d), wovenHigh(b, d))
    let rows = (wovenLow(e, g), wovenHigh(e, g), wovenLow(f, h), wovenHigh(f, h))
    @inline(__always) func store(_ pair: SIMD16<UInt8>, _ row: Int) {
      let start = destination.advanced(by: row &* destinationStride)
      start.storeBytes(of: pair.lowHalf, as: SIMD8<UInt8>.self)
      start.storeBytes(of: pair.highHalf, toByteOffset: destinationStride, as: SIMD8<UInt8>.self)
    }
    store(rows.0, 0)
    store(rows.1, 2)
    store(rows.2, 4)
    store(rows.3, 6)
  }

  @inline(__always)
  private static func woven(_ a: SIMD8<UInt8>, _ b: SIMD8<UInt8>) -> SIMD16<UInt8> {
    var result = SIMD16<UInt8>()
    for lane in 0..<8 {
      result[2 &* lane] = a[lane]
      result[2 &* lane &+ 1] = b[lane]
    }
    return result
  }

  @inline(__always)
  private static func wovenLow(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> { woven(a.lowHalf, b.lowHalf) }

  @inline(__always)
  private static func wovenHigh(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> { woven(a.highHalf, b.highHalf) }
}

extension UInt16: SquareTransposable {
  static var squareSide: Int { 8 }

  @inline(__always)
  static func transposeSquare(
    _ source: UnsafeRawPointer, _ sourceStride: Int, _ destination: UnsafeMutableRawPointer, _ destinationStride: Int
  ) {
    @inline(__always) func column(_ index: Int) -> SIMD8<UInt16> {
      source.loadUnaligned(fromByteOffset: index &* sourceStride, as: SIMD8<UInt16>.self)
    }
    @inline(__always) func store(_ row: SIMD8<UInt16>, _ index: Int) {
      destination.storeBytes(of: row, toByteOffset: index &* destinationStride, as: SIMD8<UInt16>.self)
    }
    let (a0, a1, a2, a3) = (column(0), column(1), column(2), column(3))
    let (a4, a5, a6, a7) = (column(4), column(5), column(6), column(7))
    let (b0, b1, b2, b3) = (wovenLow(a0, a4), wovenHigh(a0, a4), wovenLow(a1, a5), wovenHigh(a1, a5))
    let (b4, b5, b6, b7) = (wovenLow(a2, a6), wovenHigh(a2, a6), wovenLow(a3, a7), wovenHigh(a3, a7))
    let (c0, c1, c2, c3) = (wovenLow(b0, b4), wovenHigh(b0, b4), wovenLow(b1, b5), wovenHigh(b1, b5))
    let (c4, c5, c6, c7) = (wovenLow(b2, b6), wovenHigh(b2, b6), wovenLow(b3, b7), wovenHigh(b3, b7))
    store(wovenLow(c0, c4), 0)
    store(wovenHigh(c0, c4), 1)
    store(wovenLow(c1, c5), 2)
    store(wovenHigh(c1, c5), 3)
    store(wovenLow(c2, c6), 4)
    store(wovenHigh(c2, c6), 5)
    store(wovenLow(c3, c7), 6)
    store(wovenHigh(c3, c7), 7)
  }

  @inline(__always)
  private static func wovenLow(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> {
    var result = SIMD8<UInt16>()
    for lane in 0..<4 {
      result[2 &* lane] = a[lane]
      result[2 &* lane &+ 1] = b[lane]
    }
    return result
  }

  @inline(__always)
  private static func wovenHigh(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> {
    var result = SIMD8<UInt16>()
    for lane in 0..<4 {
      result[2 &* lane] = a[lane &+ 4]
      result[2 &* lane &+ 1] = b[lane &+ 4]
    }
    return result
  }
}

extension UInt32: SquareTransposable {
  static var squareSide: Int { 4 }

  @inline(__always)
  static func transposeSquare(
    _ source: UnsafeRawPointer, _ sourceStride: Int, _ destination: UnsafeMutableRawPointer, _ destinationStride: Int
  ) {
    @inline(__always) func column(_ index: Int) -> SIMD4<UInt32> {
      source.loadUnaligned(fromByteOffset: index &* sourceStride, as: SIMD4<UInt32>.self)
    }
    @inline(__always) func store(_ row: SIMD4<UInt32>, _ index: Int) {
      destination.storeBytes(of: row, toByteOffset: index &* destinationStride, as: SIMD4<UInt32>.self)
    }
    let (a, b, c, d) = (column(0), column(1), column(2), column(3))
    let (ac, bd) = (SIMD4(a[0], c[0], a[1], c[1]), SIMD4(b[0], d[0], b[1], d[1]))
    store(SIMD4(ac[0], bd[0], ac[1], bd[1]), 0)
    store(SIMD4(ac[2], bd[2], ac[3], bd[3]), 1)
    let (acHigh, bdHigh) = (SIMD4(a[2], c[2], a[3], c[3]), SIMD4(b[2], d[2], b[3], d[3]))
    store(SIMD4(acHigh[0], bdHigh[0], acHigh[1], bdHigh[1]), 2)
    store(SIMD4(acHigh[2], bdHigh[2], acHigh[3], bdHigh[3]), 3)
  }
}

extension UInt64: SquareTransposable {
  static var squareSide: Int { 2 }

  @inline(__always)
  static func transposeSquare(
    _ source: UnsafeRawPointer, _ sourceStride: Int, _ destination: UnsafeMutableRawPointer, _ destinationStride: Int
  ) {
    let first = source.loadUnaligned(as: SIMD2<UInt64>.self)
    let second = source.loadUnaligned(fromByteOffset: sourceStride, as: SIMD2<UInt64>.self)
    destination.storeBytes(of: SIMD2(first[0], second[0]), as: SIMD2<UInt64>.self)
    destination.storeBytes(of: SIMD2(first[1], second[1]), toByteOffset: destinationStride, as: SIMD2<UInt64>.self)
  }
}
