import SwiftletBase
import SwiftletEngine

/// A 16-bit floating-point element, stored as bits. Arithmetic is in single precision, because `Float16` doesn't exist
/// on every supported platform.
package protocol SixteenBitFloat: BitwiseCopyable, Sendable {
  /// Creates the nearest value, ties to even.
  init(_ value: Float)
  var floatValue: Float { get }
}

/// IEEE 754 half precision: 5 exponent bits and 10 fraction bits.
package struct Half: SixteenBitFloat {
  package var bitPattern: UInt16

  package init(bitPattern: UInt16) { self.bitPattern = bitPattern }

  /// The conversion has no branches, so that loops are vectorized. It moves the bits into place, adjusts the exponent
  /// to the wider bias, and corrects infinities and subnormal numbers.
  @inline(__always)
  package var floatValue: Float {
    let magnitude = UInt32(bitPattern & 0x7FFF) &<< 13
    let exponent = magnitude & 0x0F80_0000
    let rebiased = magnitude &+ (112 &<< 23)
    let special = rebiased &+ (112 &<< 23)
    // A subnormal number, read with an implicit leading one, is too large by exactly that one.
    let subnormal = (Float(bitPattern: rebiased &+ (1 &<< 23)) - 0x1p-14).bitPattern
    let absolute = exponent == 0x0F80_0000 ? special : exponent == 0 ? subnormal : rebiased
    return Float(bitPattern: absolute | UInt32(bitPattern & 0x8000) &<< 16)
  }

  @inline(__always)
  package init(_ value: Float) {
    let bits = value.bitPattern
    let sign = UInt16(truncatingIfNeeded: bits &>> 16) & 0x8000
    let magnitude = bits & 0x7FFF_FFFF
    let result: UInt32
    if magnitude >= 0x4780_0000 {
      // Too large for half precision, infinite, or NaN. NaN keeps its upper fraction bits and stays quiet.
      result = magnitude > 0x7F80_0000 ? 0x7E00 | (magnitude &>> 13) & 0x3FF : 0x7C00
    } else if magnitude < 0x3880_0000 {
      // Adding 0.5 moves the fraction to the position where the addition rounds it.
      result = (Float(bitPattern: magnitude) + 0.5).bitPattern &- Float(0.5).bitPattern
    } else {
      let isOdd = (magnitude &>> 13) & 1
      result = (magnitude &- (112 &<< 23) &+ 0xFFF &+ isOdd) &>> 13
    }
    bitPattern = sign | UInt16(truncatingIfNeeded: result)
  }
}

/// bfloat16: the upper half of a single-precision number.
package struct BFloat16: SixteenBitFloat {
  package var bitPattern: UInt16

  package init(bitPattern: UInt16) { self.bitPattern = bitPattern }

  @inline(__always)
  package var floatValue: Float { Float(bitPattern: UInt32(bitPattern) &<< 16) }

  @inline(__always)
  package init(_ value: Float) {
    let bits = value.bitPattern
    let rounded = bits &+ 0x7FFF &+ ((bits &>> 16) & 1)
    bitPattern = UInt16(truncatingIfNeeded: (value.isNaN ? bits | 0x40_0000 : rounded) &>> 16)
  }
}

/// A complex64 element.
struct ComplexFloat: BitwiseCopyable, Sendable {
  var real: Float
  var imaginary: Float
}

extension Float {
  /// The exponent, if the value is a power of two within the precision of single-precision logarithms; otherwise `nil`.
  ///
  /// - Source: the reference's check of int16 scales. A difference of a thousandth of an octave counts as exact.
  var exponentOfTwo: Int32? {
    let logarithm = logf(self) * (1 / logf(2))
    let rounded = logarithm.rounded(.toNearestOrAwayFromZero)
    guard abs(logarithm - rounded) < 1e-3 else { return nil }
    return Int32(saturating: rounded)
  }
}

extension FixedWidthInteger {
  /// Creates an integer by truncating `value` toward zero, clamped to the representable range. NaN results in the
  /// smallest integer, as in conversion instructions.
  @inline(__always)
  init(saturating value: Float) {
    if value >= Float(Self.max) {
      self = .max
    } else if value > Float(Self.min) {
      self = Self(value)
    } else {
      self = .min
    }
  }
}

// Rounding in forms that every CPU supports with vector instructions. With the standard library, rounding is a function
// call per element on baseline x86-64, and conversions to integers are checked per element on all CPUs.

extension Float {
  /// The nearest integer, ties to even, for magnitudes below 2²², computed with vector instructions that every CPU has.
  ///
  /// Adding 1.5 × 2²³ leaves no bits for a fraction, so the addition rounds, and the integer is in the low bits of the
  /// sum.
  @inline(__always)
  var roundedToNearestInteger: Int32 {
    Int32(bitPattern: (self + 0x1.8p23).bitPattern) &- Int32(bitPattern: Float(0x1.8p23).bitPattern)
  }

  /// The nearest integral value, ties to even; minus zero for a negative value that rounds to zero.
  @inline(__always)
  var nearestWhole: Float {
    let magnitude = Float(bitPattern: bitPattern & 0x7FFF_FFFF)
    let rounded = (magnitude + 0x1p23) - 0x1p23
    // Numbers from 2²³ on are always integral; NaN uses this path too.
    let result = magnitude < 0x1p23 ? rounded : magnitude
    return Float(bitPattern: result.bitPattern | bitPattern & 0x8000_0000)
  }

  /// The largest integral value that isn't above this one.
  @inline(__always)
  var wholeBelow: Float {
    let nearest = nearestWhole
    return nearest > self ? nearest - 1 : nearest
  }

  /// The smallest integral value that isn't below this one.
  @inline(__always)
  var wholeAbove: Float {
    let nearest = nearestWhole
    let result = nearest < self ? nearest + 1 : nearest
    return Float(bitPattern: result.bitPattern | bitPattern & 0x8000_0000)
  }
}
