/// Blends two pixels of three or four channels at once, in eight lanes of 16 bits.
///
/// Gives the same bytes as ``FourTaps``. Along one axis a blend is at most 255 · 32 and fits its lane. Along the other,
/// `h₀(32 − f) + h₁f` does not, but only its upper bits are wanted: with `d = h₁ − h₀`, split into `32c + r`, the
/// rounded result is `(h₀ + c·f + (r·f >> 5) + 16) >> 5`, without any loss.
///
/// Written with the operations that compile to single instructions on a baseline x86-64 processor; in particular all
/// four lanes of a pixel are kept to the end, because the compiler takes vectors with unused lanes apart.
enum PixelPair {
  typealias Lanes = SIMD8<UInt16>

  /// A weight of at most 32 in the four lanes of one pixel.
  @inline(__always)
  static func lanes(_ weight: Int32) -> UInt64 {
    UInt64(truncatingIfNeeded: weight) &* 0x0001_0001_0001_0001
  }

  @inline(__always)
  static func lanes(_ first: UInt64, _ second: UInt64) -> Lanes {
    unsafeBitCast(SIMD2(first, second), to: Lanes.self)
  }

  /// Reads four bytes of each of two pixels; the fourth may belong to the next pixel.
  @inline(__always)
  static func load(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Lanes {
    SIMD8(
      lowHalf: SIMD4(truncatingIfNeeded: first.loadUnaligned(as: SIMD4<UInt8>.self)),
      highHalf: SIMD4(truncatingIfNeeded: second.loadUnaligned(as: SIMD4<UInt8>.self)))
  }

  /// - Parameters:
  ///   - upper: blends along the first axis, out of 32.
  ///   - lower: the same beside them along the second axis.
  ///   - fraction: how much of `lower` to take, 0…31.
  /// - Returns: one byte in each lane.
  @inline(__always)
  static func blend(_ upper: Lanes, _ lower: Lanes, _ fraction: Lanes) -> SIMD2<UInt64> {
    let difference = lower &- upper
    let signed = unsafeBitCast(difference, to: SIMD8<Int16>.self) &>> SIMD8<Int16>(repeating: 5)
    let coarse = unsafeBitCast(signed, to: Lanes.self) &* fraction
    let fine = ((difference & Lanes(repeating: 31)) &* fraction) &>> Lanes(repeating: 5)
    let sum = upper &+ coarse &+ fine &+ Lanes(repeating: 16)
    return unsafeBitCast(sum &>> Lanes(repeating: 5), to: SIMD2<UInt64>.self)
  }

  /// The four bytes of one pixel, taken from its lanes.
  @inline(__always)
  static func packed(_ lanes: UInt64, swapsRedAndBlue: Bool) -> UInt32 {
    let pairs = lanes | (lanes &>> 8)
    let pixel = UInt32(truncatingIfNeeded: (pairs & 0xFFFF) | ((pairs &>> 16) & 0xFFFF_0000))
    guard swapsRedAndBlue else { return pixel.littleEndian }
    return ((pixel & 0xFF00_FF00) | ((pixel & 0xFF) &<< 16) | ((pixel &>> 16) & 0xFF)).littleEndian
  }
}
