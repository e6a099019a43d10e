import SwiftletKernels

/// A blend of two pixels of three or four channels at once, in eight 16-bit lanes.
///
/// The result has the same bytes as ``FourTaps``. The first blend is at most 255 · 32 and fits its lane. The second
/// blend, `h₀(32 − f) + h₁f`, doesn't fit, but only its upper bits are needed: with `d = h₁ − h₀`, split into `32c +
/// r`, the rounded result is exactly `(h₀ + c·f + (r·f >> 5) + 16) >> 5`.
///
/// The code uses only operations that compile to single instructions on a baseline x86-64 CPU. It keeps all four lanes
/// of a pixel until the end, because the compiler splits vectors with unused lanes.
enum PixelPair {
  typealias Lanes = SIMD8<UInt16>

  @inline(__always)
  static func lanes(_ first: UInt64, _ second: UInt64) -> Lanes {
    unsafeBitCast(SIMD2(first, second), to: Lanes.self)
  }

  /// Returns the low five bits in each of the four lanes of a pixel.
  @inline(__always)
  static func lanes(ofFraction bits: SIMD2<UInt64>) -> Lanes {
    let fraction = bits & SIMD2(repeating: 31)
    let twice = fraction | (fraction &<< SIMD2(repeating: 16))
    return unsafeBitCast(twice | (twice &<< SIMD2(repeating: 32)), to: Lanes.self)
  }

  /// Reads four bytes of each of two pixels. The fourth byte may belong to the next pixel.
  @inline(__always)
  static func load(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Lanes {
    SIMD8(
      lowHalf: SIMD4(truncatingIfNeeded: first.loadUnaligned(as: SIMD4<UInt8>.self)),
      highHalf: SIMD4(truncatingIfNeeded: second.loadUnaligned(as: SIMD4<UInt8>.self)))
  }

  /// Returns the second blend.
  ///
  /// - Parameters:
  ///   - upper: The first blend in units of 1/32.
  ///   - lower: The first blend of the adjacent position on the second axis.
  ///   - fraction: The weight of `lower`, 0…31.
  /// - Returns: One byte in each lane.
  @inline(__always)
  static func blend(_ upper: Lanes, _ lower: Lanes, _ fraction: Lanes) -> SIMD2<UInt64> {
    let difference = lower &- upper
    let signed = unsafeBitCast(difference, to: SIMD8<Int16>.self) &>> SIMD8<Int16>(repeating: 5)
    let coarse = unsafeBitCast(signed, to: Lanes.self) &* fraction
    let fine = ((difference & Lanes(repeating: 31)) &* fraction) &>> Lanes(repeating: 5)
    let sum = upper &+ coarse &+ fine &+ Lanes(repeating: 16)
    return unsafeBitCast(sum &>> Lanes(repeating: 5), to: SIMD2<UInt64>.self)
  }

  /// Writes four bytes of each of two pixels that are `stride` bytes apart.
  @inline(__always)
  static func store(_ lanes: SIMD2<UInt64>, _ pixel: UnsafeMutableRawPointer, stride: Int, swapsRedAndBlue: Bool) {
    pixel.storeBytes(of: packed(lanes[0], swapsRedAndBlue: swapsRedAndBlue), as: UInt32.self)
    pixel.storeBytes(of: packed(lanes[1], swapsRedAndBlue: swapsRedAndBlue), toByteOffset: stride, as: UInt32.self)
  }

  /// Returns the four bytes of one pixel from its lanes.
  @inline(__always)
  private static func packed(_ lanes: UInt64, swapsRedAndBlue: Bool) -> UInt32 {
    let pairs = lanes | (lanes &>> 8)
    let pixel = UInt32(truncatingIfNeeded: (pairs & 0xFFFF) | ((pairs &>> 16) & 0xFFFF_0000))
    guard swapsRedAndBlue else { return pixel.littleEndian }
    return ((pixel & 0xFF00_FF00) | ((pixel & 0xFF) &<< 16) | ((pixel &>> 16) & 0xFF)).littleEndian
  }
}

/// Two adjacent pixels of the tensor with their positions in the image.
struct PositionedPair {
  /// The positions in units of 1/32 pixel.
  let x: (Int32, Int32)
  let y: (Int32, Int32)
  private let bitsX: SIMD2<UInt64>
  private let bitsY: SIMD2<UInt64>

  @inline(__always)
  init(_ block: WarpPath.Block, _ column: Int) {
    (bitsX, bitsY) = block.roundedPositions(column)
    x = (Int32(truncatingIfNeeded: bitsX[0]), Int32(truncatingIfNeeded: bitsX[1]))
    y = (Int32(truncatingIfNeeded: bitsY[0]), Int32(truncatingIfNeeded: bitsY[1]))
  }

  var columns: (Int, Int) {
    @inline(__always) get { (Int(x.0 >> 5), Int(x.1 >> 5)) }
  }
  var rows: (Int, Int) {
    @inline(__always) get { (Int(y.0 >> 5), Int(y.1 >> 5)) }
  }

  /// Returns whether all pixels are inside. One comparison per coordinate: a negative number is a huge unsigned number.
  @inline(__always)
  func isInside(_ columnLimit: UInt, _ rowLimit: UInt) -> Bool {
    UInt(bitPattern: columns.0) < columnLimit && UInt(bitPattern: rows.0) < rowLimit
      && UInt(bitPattern: columns.1) < columnLimit && UInt(bitPattern: rows.1) < rowLimit
  }

  /// The weights of the pixels on the right, and of those below.
  var fractions: (x: PixelPair.Lanes, y: PixelPair.Lanes) {
    @inline(__always) get { (PixelPair.lanes(ofFraction: bitsX), PixelPair.lanes(ofFraction: bitsY)) }
  }
}
