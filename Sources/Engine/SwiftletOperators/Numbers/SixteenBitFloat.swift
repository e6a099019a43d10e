import SwiftletBase
import SwiftletEngine

/// A 16-bit floating-point element by its bits. Arithmetic happens in single precision; `Float16` does not exist on
/// every platform we build for.
protocol SixteenBitFloat: BitwiseCopyable, Sendable {
  /// Rounds to the nearest value, ties to even.
  init(_ value: Float)
  var floatValue: Float { get }
}

/// IEEE 754 half precision: 5 bits of exponent, 10 of fraction.
struct Half: SixteenBitFloat {
  var bitPattern: UInt16

  /// Branch-free, so that loops over it become vector instructions: the bits are moved into place, the exponent is
  /// shifted to the wider bias, and infinities and subnormal numbers are corrected.
  @inline(__always)
  var floatValue: Float {
    let magnitude = UInt32(bitPattern & 0x7FFF) &<< 13
    let exponent = magnitude & 0x0F80_0000
    let rebiased = magnitude &+ (112 &<< 23)
    let special = rebiased &+ (112 &<< 23)
    // A subnormal number, read as if it had a leading one, is too large by exactly that one.
    let subnormal = (Float(bitPattern: rebiased &+ (1 &<< 23)) - 0x1p-14).bitPattern
    let absolute = exponent == 0x0F80_0000 ? special : exponent == 0 ? subnormal : rebiased
    return Float(bitPattern: absolute | UInt32(bitPattern & 0x8000) &<< 16)
  }

  @inline(__always)
  init(_ value: Float) {
    let bits = value.bitPattern
    let sign = UInt16(truncatingIfNeeded: bits &>> 16) & 0x8000
    let magnitude = bits & 0x7FFF_FFFF
    let result: UInt32
    if magnitude >= 0x4780_0000 {
      // Too large for a half, infinite, or not a number: the last keep their upper fraction bits and stay quiet.
      result = magnitude > 0x7F80_0000 ? 0x7E00 | (magnitude &>> 13) & 0x3FF : 0x7C00
    } else if magnitude < 0x3880_0000 {
      // Adding one half moves the fraction to where the addition rounds it.
      result = (Float(bitPattern: magnitude) + 0.5).bitPattern &- Float(0.5).bitPattern
    } else {
      let isOdd = (magnitude &>> 13) & 1
      result = (magnitude &- (112 &<< 23) &+ 0xFFF &+ isOdd) &>> 13
    }
    bitPattern = sign | UInt16(truncatingIfNeeded: result)
  }
}

/// The upper half of a single-precision number.
struct BFloat16: SixteenBitFloat {
  var bitPattern: UInt16

  @inline(__always)
  var floatValue: Float { Float(bitPattern: UInt32(bitPattern) &<< 16) }

  @inline(__always)
  init(_ value: Float) {
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
  /// The exponent, when this is a power of two as far as single-precision logarithms can tell.
  ///
  /// - Source: the reference's check of int16 scales; a thousandth of an octave counts as exact.
  var exponentOfTwo: Int32? {
    let logarithm = logf(self) * (1 / logf(2))
    let rounded = logarithm.rounded(.toNearestOrAwayFromZero)
    guard abs(logarithm - rounded) < 1e-3 else { return nil }
    return Int32(saturating: rounded)
  }
}

extension FixedWidthInteger {
  /// Creates the nearest representable integer below or at `value`; NaN gives the smallest, as conversion instructions
  /// do.
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

// Rounding in forms that every processor has as vector instructions: the standard library's become a call for each
// element on baseline x86-64, and conversions to integers become checks for each element everywhere.

extension Float {
  /// The nearest integer, ties to even, for magnitudes below 2²²; a form that every processor has as vector
  /// instructions.
  ///
  /// Adding 1.5 × 2²³ leaves no bits for a fraction, so the addition rounds, and the integer is in the low bits of the
  /// sum.
  @inline(__always)
  var roundedToNearestInteger: Int32 {
    Int32(bitPattern: (self + 0x1.8p23).bitPattern) &- Int32(bitPattern: Float(0x1.8p23).bitPattern)
  }

  /// The nearest whole number, ties to even; minus zero for what is rounded up to zero.
  @inline(__always)
  var nearestWhole: Float {
    let magnitude = Float(bitPattern: bitPattern & 0x7FFF_FFFF)
    let rounded = (magnitude + 0x1p23) - 0x1p23
    // From 2²³ on every number is whole; NaN takes this way, too.
    let result = magnitude < 0x1p23 ? rounded : magnitude
    return Float(bitPattern: result.bitPattern | bitPattern & 0x8000_0000)
  }

  /// The largest whole number not above this one.
  @inline(__always)
  var wholeBelow: Float {
    let nearest = nearestWhole
    return nearest > self ? nearest - 1 : nearest
  }

  /// The smallest whole number not below this one.
  @inline(__always)
  var wholeAbove: Float {
    let nearest = nearestWhole
    let result = nearest < self ? nearest + 1 : nearest
    return Float(bitPattern: result.bitPattern | bitPattern & 0x8000_0000)
  }
}
