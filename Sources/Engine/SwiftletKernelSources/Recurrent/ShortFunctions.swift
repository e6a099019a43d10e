import SwiftletKernels

// Sigmoid and hyperbolic tangent of 16-bit fixed-point values, one per 32-bit lane. Goals, in order: bit-exact with
// `ShortFixedPoint` for every 16-bit value; branch-free.

/// The functions for a number of integer bits.
struct ShortFunctions<V: VectorISA> {
  /// The constants of the exponential that depend on the number of integer bits, which is the same for all values of a
  /// call.
  private struct Scale {
    let integerBits: Int32
    /// The number of bits that count quarters.
    let quarterBits: Int32
    /// The exponential of values below `-limit` is zero.
    let limit: Int32

    @inline(__always)
    init(integerBits: Int32) {
      self.integerBits = integerBits
      quarterBits = min(integerBits, 5) &+ 2
      limit = integerBits > 5 ? 1 &<< (20 &- integerBits) : 1 &<< 16
    }
  }

  private let scale: Scale

  /// Creates the functions for the logistic function of values with `integerBits` integer bits (1 … 7).
  @inline(__always)
  init(logisticIntegerBits integerBits: Int32) { scale = Scale(integerBits: integerBits) }

  /// Creates the functions for the hyperbolic tangent of values with `integerBits` integer bits (0 … 6). The additional
  /// integer bit doubles a value.
  @inline(__always)
  init(tangentIntegerBits integerBits: Int32) { scale = Scale(integerBits: integerBits &+ 1) }

  /// Returns the high 16 bits of the doubled product of 16-bit values, rounded half up.
  @inline(__always)
  static func multiply(_ a: V.I, _ b: V.I) -> V.I { (a &* b &+ V.splat(1 &<< 14)) &>> 15 }

  /// Returns `x` divided by two to the power of `exponent` (1 … 31), rounded half away from zero. Adding half of the
  /// divisor to `x` must not overflow.
  @inline(__always)
  static func divide(_ x: V.I, byPowerOfTwo exponent: Int32) -> V.I {
    (x &+ V.splat(1 &<< (exponent &- 1)) &+ (x &>> 31)) &>> V.splat(exponent)
  }

  @inline(__always)
  func logistic(_ x: V.I) -> V.I {
    let negative = V.minimum(x, V.I() &- x)
    let half = reciprocalOfHalfOnePlus(exponential(negative))
    let positive = V.minimum(half &+ half, V.splat(32767))
    // For negative values, the result is 32767 − positive.
    let sign = (V.splat(0) &- x) &>> 31
    let result = (positive & sign) | ((V.splat(32767) &- positive) & ~sign)
    let isZero = ~((x | (V.I() &- x)) &>> 31)
    return (result & ~isZero) | (V.splat(1 &<< 14) & isZero)
  }

  @inline(__always)
  func hyperbolicTangent(_ x: V.I) -> V.I {
    let negative = V.minimum(x, V.I() &- x)
    let complement = reciprocalOfHalfOnePlus(exponential(negative)) &- V.splat(1 &<< 13)
    let result = V.minimum(complement &<< 2, V.splat(32767))
    let sign = x &>> 31
    return ((result ^ sign) &- sign) & ((x | (V.I() &- x)) &>> 31)
  }

  /// Returns exp of a negative value: the product of a polynomial around −1/8 for the rest of at most one quarter, and
  /// one factor per bit of the number of quarters.
  @inline(__always)
  private func exponential(_ x: V.I) -> V.I {
    let quarter = Int32(1) &<< (13 &- scale.integerBits)
    let fraction = (x & V.splat(quarter &- 1)) &- V.splat(quarter)
    let quarters = fraction &- x
    var result = exponentialNearZero(fraction &<< V.splat(scale.integerBits))
    // Moves the lowest bit of the number of quarters to the sign bit.
    var bits = quarters &<< V.splat(18 &+ scale.integerBits)
    @inline(__always) func multiply(_ factor: Int32) {
      // The factor 2^15 leaves a value unchanged.
      let selected = V.splat(1 &<< 15) &+ ((bits &>> 31) & V.splat(factor &- (1 &<< 15)))
      result = Self.multiply(result, selected)
    }
    // The constants are exp(−2^k), starting at k = −2.
    multiply(25520)
    bits = quarters &<< V.splat(17 &+ scale.integerBits)
    multiply(19875)
    bits = quarters &<< V.splat(16 &+ scale.integerBits)
    multiply(12055)
    if scale.quarterBits > 3 {
      bits = quarters &<< V.splat(15 &+ scale.integerBits)
      multiply(4435)
    }
    if scale.quarterBits > 4 {
      bits = quarters &<< V.splat(14 &+ scale.integerBits)
      multiply(600)
    }
    if scale.quarterBits > 5 {
      bits = quarters &<< V.splat(13 &+ scale.integerBits)
      multiply(11)
    }
    if scale.quarterBits > 6 {
      bits = quarters &<< V.splat(12 &+ scale.integerBits)
      multiply(0)
    }
    return result & ~((x &+ V.splat(scale.limit)) &>> 31)
  }

  /// Returns exp of a value in [−1/4, 0) with no integer bits.
  @inline(__always)
  private func exponentialNearZero(_ x: V.I) -> V.I {
    let center = V.splat(28918 as Int32)
    let x = x &+ V.splat(1 &<< 12)
    let square = Self.multiply(x, x)
    let cube = Self.multiply(square, x)
    let fourth = Self.divide(Self.multiply(square, square), byPowerOfTwo: 2)
    let tail = Self.divide(Self.multiply(fourth &+ cube, V.splat(10923)) &+ square, byPowerOfTwo: 1)
    return V.minimum(center &+ Self.multiply(center, x &+ tail), V.splat(32767))
  }

  /// Returns the reciprocal of `(x + 1) / 2` for x from 0 to 1, with two integer bits, by three Newton steps.
  @inline(__always)
  private func reciprocalOfHalfOnePlus(_ x: V.I) -> V.I {
    let half = (x &+ V.splat(32768)) &>> 1
    var guess = V.splat(23130) &+ Self.multiply(half, V.splat(-15420))
    @inline(__always) func refine() {
      let rest = V.splat(1 &<< 13) &- Self.multiply(half, guess)
      guess = guess &+ (Self.multiply(guess, rest) &<< 2)
    }
    refine()
    refine()
    refine()
    return guess
  }
}
