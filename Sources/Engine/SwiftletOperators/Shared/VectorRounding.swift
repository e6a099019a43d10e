import SwiftletEngine

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
