/// An element type whose small squares can be transposed in registers.
///
/// Columns are interleaved in rounds: first single elements of adjacent columns, then pairs, then groups of four. Every
/// round uses lanes of twice the width, which prevents the optimizer from merging rounds into slower code.
protocol SquareTransposable: BitwiseCopyable {
  static var squareSide: Int { get }

  /// Transposes `squareSide` rows and columns. Strides are in bytes, as in `BlockTransposition`.
  static func transposeSquare(
    _ source: UnsafeRawPointer, _ sourceStride: Int, _ destination: UnsafeMutableRawPointer, _ destinationStride: Int)
}

/// Sixteen bytes as lanes of any width.
private typealias Lanes8 = SIMD16<UInt8>
private typealias Lanes16 = SIMD8<UInt16>
private typealias Lanes32 = SIMD4<UInt32>
private typealias Lanes64 = SIMD2<UInt64>

@inline(__always)
private func woven(_ a: SIMD8<UInt8>, _ b: SIMD8<UInt8>) -> Lanes16 {
  var result = Lanes8()
  for lane in 0..<8 {
    result[2 &* lane] = a[lane]
    result[2 &* lane &+ 1] = b[lane]
  }
  return unsafeBitCast(result, to: Lanes16.self)
}

@inline(__always)
private func woven(_ a: Lanes16, _ b: Lanes16) -> (low: Lanes32, high: Lanes32) {
  (
    unsafeBitCast(Lanes16(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]), to: Lanes32.self),
    unsafeBitCast(Lanes16(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7]), to: Lanes32.self)
  )
}

@inline(__always)
private func woven(_ a: Lanes32, _ b: Lanes32) -> (low: Lanes64, high: Lanes64) {
  (
    unsafeBitCast(Lanes32(a[0], b[0], a[1], b[1]), to: Lanes64.self),
    unsafeBitCast(Lanes32(a[2], b[2], a[3], b[3]), to: Lanes64.self)
  )
}

@inline(__always)
private func woven(_ a: Lanes64, _ b: Lanes64) -> (low: Lanes64, high: Lanes64) {
  (Lanes64(a[0], b[0]), Lanes64(a[1], b[1]))
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
    @inline(__always) func store(_ pair: Lanes64, _ row: Int) {
      destination.storeBytes(of: pair[0], toByteOffset: row &* destinationStride, as: UInt64.self)
      destination.storeBytes(of: pair[1], toByteOffset: (row &+ 1) &* destinationStride, as: UInt64.self)
    }
    let front = woven(woven(column(0), column(1)), woven(column(2), column(3)))
    let back = woven(woven(column(4), column(5)), woven(column(6), column(7)))
    let (upper, lower) = (woven(front.low, back.low), woven(front.high, back.high))
    store(upper.low, 0)
    store(upper.high, 2)
    store(lower.low, 4)
    store(lower.high, 6)
  }
}

extension UInt16: SquareTransposable {
  static var squareSide: Int { 8 }

  @inline(__always)
  static func transposeSquare(
    _ source: UnsafeRawPointer, _ sourceStride: Int, _ destination: UnsafeMutableRawPointer, _ destinationStride: Int
  ) {
    @inline(__always) func column(_ index: Int) -> Lanes16 {
      source.loadUnaligned(fromByteOffset: index &* sourceStride, as: Lanes16.self)
    }
    @inline(__always) func store(_ front: Lanes64, _ back: Lanes64, _ row: Int) {
      let rows = woven(front, back)
      destination.storeBytes(of: rows.low, toByteOffset: row &* destinationStride, as: Lanes64.self)
      destination.storeBytes(of: rows.high, toByteOffset: (row &+ 1) &* destinationStride, as: Lanes64.self)
    }
    let (a, b) = (woven(column(0), column(1)), woven(column(2), column(3)))
    let (c, d) = (woven(column(4), column(5)), woven(column(6), column(7)))
    let (frontUpper, frontLower) = (woven(a.low, b.low), woven(a.high, b.high))
    let (backUpper, backLower) = (woven(c.low, d.low), woven(c.high, d.high))
    store(frontUpper.low, backUpper.low, 0)
    store(frontUpper.high, backUpper.high, 2)
    store(frontLower.low, backLower.low, 4)
    store(frontLower.high, backLower.high, 6)
  }
}

extension UInt32: SquareTransposable {
  static var squareSide: Int { 4 }

  @inline(__always)
  static func transposeSquare(
    _ source: UnsafeRawPointer, _ sourceStride: Int, _ destination: UnsafeMutableRawPointer, _ destinationStride: Int
  ) {
    @inline(__always) func column(_ index: Int) -> Lanes32 {
      source.loadUnaligned(fromByteOffset: index &* sourceStride, as: Lanes32.self)
    }
    let (front, back) = (woven(column(0), column(1)), woven(column(2), column(3)))
    let (upper, lower) = (woven(front.low, back.low), woven(front.high, back.high))
    destination.storeBytes(of: upper.low, as: Lanes64.self)
    destination.storeBytes(of: upper.high, toByteOffset: destinationStride, as: Lanes64.self)
    destination.storeBytes(of: lower.low, toByteOffset: 2 &* destinationStride, as: Lanes64.self)
    destination.storeBytes(of: lower.high, toByteOffset: 3 &* destinationStride, as: Lanes64.self)
  }
}

extension UInt64: SquareTransposable {
  static var squareSide: Int { 2 }

  @inline(__always)
  static func transposeSquare(
    _ source: UnsafeRawPointer, _ sourceStride: Int, _ destination: UnsafeMutableRawPointer, _ destinationStride: Int
  ) {
    let rows = woven(
      source.loadUnaligned(as: Lanes64.self), source.loadUnaligned(fromByteOffset: sourceStride, as: Lanes64.self))
    destination.storeBytes(of: rows.low, as: Lanes64.self)
    destination.storeBytes(of: rows.high, toByteOffset: destinationStride, as: Lanes64.self)
  }
}
