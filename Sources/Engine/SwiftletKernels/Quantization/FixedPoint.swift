// The fixed-point arithmetic of the reference runtime, one value at a time. The priorities are, in order: bit-exact
// results, no trap for any operand, and speed.

/// A real factor as a 31-bit fraction and a power of two: `multiplier / 2³¹ × 2^shift`.
package struct QuantizedMultiplier: Sendable, Hashable {
  package var multiplier: Int32
  package var shift: Int32

  package init(multiplier: Int32, shift: Int32) {
    self.multiplier = multiplier
    self.shift = shift
  }

  /// Creates the nearest fixed-point form of `factor`; 0 for factors below 2⁻³² and for factors that aren't finite.
  ///
  /// - Source: `QuantizeMultiplier` of the reference runtime (double rounding build).
  package init(_ factor: Double) {
    // The exponent that frexp returns, and the 53 bits of its fraction. Zero and subnormal numbers have the lowest
    // exponent, numbers that aren't finite the highest.
    let bits = factor.magnitude.bitPattern
    var shift = Int32(bits >> 52) - 1022
    let fraction = Int64(bits & (1 << 52 - 1) | 1 << 52)
    // Rounded to 31 bits, half away from zero. A fraction of 1 is a half with the next exponent.
    var fixed = (fraction + 1 << 21) >> 22
    if fixed == 1 << 31 {
      fixed = 1 << 30
      shift += 1
    }
    guard shift >= -31, factor.isFinite else {
      self.init(multiplier: 0, shift: 0)
      return
    }
    self.init(multiplier: Int32(factor < 0 ? -fixed : fixed), shift: shift)
  }

  /// Returns `value` times the factor, rounded twice as in the reference.
  @inlinable
  package func apply(_ value: Int32) -> Int32 {
    let left = max(shift, 0)
    let right = max(0 &- shift, 0)
    return FixedPoint.roundingDivide(
      FixedPoint.saturatingRoundingDoublingHighMultiply(value << left, multiplier), byPowerOfTwo: right)
  }

  /// Returns `value` times the factor, for 64-bit accumulators of 16-bit activations. The fraction is reduced to 15
  /// bits.
  @inlinable
  package func apply(_ value: Int64) -> Int32 {
    let reduced = multiplier < 0x7FFF_0000 ? (Int64(multiplier) + (1 << 15)) >> 16 : 0x7FFF
    let total = Int64(15 &- shift)
    guard total > 0, total < 63 else { return total >= 63 ? 0 : Int32(truncatingIfNeeded: value &* reduced) }
    return Int32(truncatingIfNeeded: (value &* reduced &+ (1 << (total &- 1))) >> total)
  }
}

/// Rounding primitives on integers.
package enum FixedPoint {
  /// Returns the high 32 bits of twice the product, rounded half away from zero. The only overflowing pair saturates.
  @inlinable
  package static func saturatingRoundingDoublingHighMultiply(_ first: Int32, _ second: Int32) -> Int32 {
    if first == .min, second == .min { return .max }
    let product = Int64(first) &* Int64(second)
    let nudge: Int64 = product >= 0 ? 1 << 30 : 1 &- (1 << 30)
    return Int32(truncatingIfNeeded: (product &+ nudge) / (1 << 31))
  }

  /// Returns the 16-bit form of `saturatingRoundingDoublingHighMultiply(_:_:)`.
  @inlinable
  package static func saturatingRoundingDoublingHighMultiply(_ first: Int16, _ second: Int16) -> Int16 {
    if first == .min, second == .min { return .max }
    let product = Int32(first) &* Int32(second)
    let nudge: Int32 = product >= 0 ? 1 << 14 : 1 &- (1 << 14)
    return Int16(truncatingIfNeeded: (product &+ nudge) / (1 << 15))
  }

  /// Returns `value / 2^exponent`, rounded half away from zero, for exponents 0 to 31.
  @inlinable
  package static func roundingDivide(_ value: Int32, byPowerOfTwo exponent: Int32) -> Int32 {
    guard exponent > 0 else { return value }
    guard exponent <= 31 else { return 0 }
    let mask = Int32(truncatingIfNeeded: (Int64(1) << Int64(exponent)) &- 1)
    let remainder = value & mask
    let threshold = (mask >> 1) &+ (value < 0 ? 1 : 0)
    return (value >> exponent) &+ (remainder > threshold ? 1 : 0)
  }
}
