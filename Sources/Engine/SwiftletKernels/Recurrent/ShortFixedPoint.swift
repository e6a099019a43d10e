/// Sigmoid and hyperbolic tangent on 16-bit fixed-point numbers, bit-exact with the reference.
///
/// A number with `integerBits` integer bits is a raw value divided by 2^(15 − integerBits). Results have no integer
/// bits.
///
/// - Source: `FixedPoint<int16>` of gemmlowp: a Taylor series around −1/8, one factor per set bit of the argument, and
///   Newton's division.
package enum ShortFixedPoint {
  /// The nearest representable value to 1 without integer bits.
  private static let one = Int16.max

  package static func logistic(_ raw: Int16, integerBits: Int) -> Int16 {
    if raw == 0 { return 1 << 14 }
    let magnitude = raw > 0 ? raw : 0 &- raw
    let positive = reciprocalOfOnePlus(exponential(0 &- magnitude, integerBits: integerBits))
    return raw > 0 ? positive : one &- positive
  }

  package static func hyperbolicTangent(_ raw: Int16, integerBits: Int) -> Int16 {
    if raw == 0 { return 0 }
    let negative = raw < 0 ? raw : 0 &- raw
    // One more integer bit doubles the number.
    let result = complementOverOnePlus(exponential(negative, integerBits: integerBits + 1))
    return raw < 0 ? 0 &- result : result
  }

  private static func multiply(_ first: Int16, _ second: Int16) -> Int16 {
    FixedPoint.saturatingRoundingDoublingHighMultiply(first, second)
  }

  /// Returns a constant of the 32-bit form, rounded to 16 bits.
  private static func constant(_ value: Int32) -> Int16 {
    Int16(truncatingIfNeeded: FixedPoint.roundingDivide(value, byPowerOfTwo: 16))
  }

  private static func halve(_ value: Int16, times exponent: Int32) -> Int16 {
    Int16(truncatingIfNeeded: FixedPoint.roundingDivide(Int32(value), byPowerOfTwo: exponent))
  }

  /// Returns the value multiplied by 2^exponent, saturating.
  private static func double(_ value: Int16, times exponent: Int) -> Int16 {
    guard exponent > 0 else { return value }
    let threshold = (Int32(1) << Int32(15 - exponent)) - 1
    if Int32(value) > threshold { return .max }
    if Int32(value) < -threshold { return .min }
    return value << Int16(exponent)
  }

  /// The constants exp(−1/8) and 1/3.
  private static let expansionPoint = constant(1_895_147_668)
  private static let third = constant(715_827_883)

  /// Returns exp of a number in [−1/4, 0) without integer bits.
  private static func exponentialNearZero(_ raw: Int16) -> Int16 {
    let x = raw &+ (1 << 12)
    let square = multiply(x, x)
    let cube = multiply(square, x)
    let fourth = multiply(square, square)
    let tail = halve(multiply(halve(fourth, times: 2) &+ cube, third) &+ square, times: 1)
    return saturatingAdd(expansionPoint, multiply(expansionPoint, x &+ tail))
  }

  private static func saturatingAdd(_ first: Int16, _ second: Int16) -> Int16 {
    Int16(clamping: Int32(first) + Int32(second))
  }

  /// The values of exp(−2^exponent), for exponents from −2 on.
  private static let factors: [Int16] = [
    1_672_461_947, 1_302_514_674, 790_015_084, 290_630_308, 39_332_535, 720_401, 242,
  ].map(constant)

  /// Returns exp of a number that isn't positive.
  private static func exponential(_ raw: Int16, integerBits: Int) -> Int16 {
    if raw == 0 { return one }
    if integerBits > 5, Int32(raw) < -(Int32(1) << Int32(20 - integerBits)) { return 0 }
    let quarter = Int16(1) << Int16(13 - integerBits)
    let fraction = (raw & (quarter &- 1)) &- quarter
    var result = exponentialNearZero(double(fraction, times: integerBits))
    let remainder = fraction &- raw
    for exponent in -2..<min(integerBits, 5) {
      let bit = Int16(truncatingIfNeeded: Int32(1) << Int32(15 - integerBits + exponent))
      if remainder & bit != 0 { result = multiply(result, factors[exponent + 2]) }
    }
    return result
  }

  /// The constants 48/17 and −32/17 with two integer bits.
  private static let firstGuess = constant(1_515_870_810)
  private static let guessSlope = constant(-1_010_580_540)

  /// Returns the reciprocal of `(x + 1) / 2`, with two integer bits.
  private static func reciprocalOfHalfOnePlus(_ x: Int16) -> Int16 {
    let sum = Int32(x) + Int32(one)
    let half = Int16(truncatingIfNeeded: (sum + (sum >= 0 ? 1 : -1)) / 2)
    var guess = firstGuess &+ multiply(half, guessSlope)
    for _ in 0..<3 {
      let rest = (1 << 13) &- multiply(half, guess)
      guess = guess &+ double(multiply(guess, rest), times: 2)
    }
    return guess
  }

  /// Returns 1 / (1 + x) for x in (0, 1).
  private static func reciprocalOfOnePlus(_ x: Int16) -> Int16 {
    double(reciprocalOfHalfOnePlus(x), times: 1)
  }

  /// Returns (1 − x) / (1 + x) for x in (0, 1).
  private static func complementOverOnePlus(_ x: Int16) -> Int16 {
    double(reciprocalOfHalfOnePlus(x) &- (1 << 13), times: 2)
  }
}
