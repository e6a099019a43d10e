// Functions of the reference runtime on fixed-point numbers. A value with `n` integer bits represents its integer times
// 2^(n − 31). The functions must be bit-exact first, and must never trap for any operand second.

extension FixedPoint {
  /// Returns `value × 2^exponent`, saturated for left shifts and rounded half away from zero for right shifts.
  @inlinable
  package static func scale(_ value: Int32, byPowerOfTwo exponent: Int) -> Int32 {
    guard exponent > 0 else { return roundingDivide(value, byPowerOfTwo: Int32(clamping: 0 &- exponent)) }
    guard exponent < 31 else { return value > 0 ? .max : (value < 0 ? .min : 0) }
    let threshold = (Int32(1) << Int32(31 &- exponent)) &- 1
    if value > threshold { return .max }
    if value < 0 &- threshold { return .min }
    return value << Int32(exponent)
  }

  /// Returns the mean of two values, rounded half away from zero.
  @inlinable
  package static func roundingHalfSum(_ first: Int32, _ second: Int32) -> Int32 {
    let sum = Int64(first) &+ Int64(second)
    return Int32(truncatingIfNeeded: (sum &+ (sum >= 0 ? 1 : -1)) / 2)
  }

  @inlinable
  static func multiply(_ first: Int32, _ second: Int32) -> Int32 {
    saturatingRoundingDoublingHighMultiply(first, second)
  }

  /// Returns `exp(value)` for a value of at most 0 with 5 integer bits. The result has no integer bits.
  ///
  /// The remainder below a quarter goes through a polynomial around −1/8. Whole quarters are factors, one per bit.
  package static func exponential(ofNegative value: Int32) -> Int32 {
    guard value != 0 else { return .max }
    let fractionBits = 26
    let quarter = Int32(1) << Int32(fractionBits - 2)
    let rest = (value & (quarter &- 1)) &- quarter
    var result = exponential(inLastQuarter: scale(rest, byPowerOfTwo: 5))
    let quarters = rest &- value
    for (bit, factor) in quarterPowers.enumerated() where quarters & (quarter << Int32(bit)) != 0 {
      result = multiply(result, factor)
    }
    return result
  }

  /// The values of exp(−2^k) for k from −2 to 4, without integer bits.
  private static let quarterPowers: [Int32] = [
    1_672_461_947, 1_302_514_674, 790_015_084, 290_630_308, 39_332_535, 720_401, 242,
  ]

  /// Returns `exp(value)` for −1/4 ≤ value < 0, both without integer bits.
  private static func exponential(inLastQuarter value: Int32) -> Int32 {
    let atCenter: Int32 = 1_895_147_668, third: Int32 = 715_827_883
    let x = value &+ (1 << 28)
    let square = multiply(x, x)
    let cube = multiply(square, x)
    let fourthPower = roundingDivide(multiply(square, square), byPowerOfTwo: 2)
    let tail = roundingDivide(multiply(fourthPower &+ cube, third) &+ square, byPowerOfTwo: 1)
    return atCenter &+ multiply(atCenter, x &+ tail)
  }

  /// Returns `1 / (1 + value)` for 0 ≤ value ≤ 1, both without integer bits, with three Newton steps.
  package static func inverse(ofOnePlus value: Int32) -> Int32 {
    let half = roundingHalfSum(value, .max)
    var x = 1_515_870_810 &+ multiply(half, -1_010_580_540)
    for _ in 0..<3 {
      let error = (1 << 29) &- multiply(half, x)
      x = x &+ scale(multiply(x, error), byPowerOfTwo: 2)
    }
    return scale(x, byPowerOfTwo: 1)
  }

  /// Returns the reciprocal of a positive value with `integerBits` integer bits, as a fraction and the power of two to
  /// divide it by.
  package static func reciprocal(_ value: Int32, integerBits: Int) -> (fraction: Int32, exponent: Int) {
    let bits = UInt32(bitPattern: value)
    let headroom = bits.leadingZeroBitCount
    let rest = Int32(bitPattern: (headroom < 32 ? bits << UInt32(headroom) : 0) &- (1 << 31))
    return (inverse(ofOnePlus: rest), integerBits - headroom)
  }

  /// Returns the natural logarithm of a value of at least 1 with 12 integer bits; the result has 5.
  package static func logarithm(_ value: Int32) -> Int32 {
    let inputBits = 12, sumBits = 6
    let log2: Int32 = 1_488_522_236, rootOfRootOfHalf: Int32 = 1_805_811_301, rootOfHalf: Int32 = 1_518_500_250
    let quarter = roundingDivide(536_870_912, byPowerOfTwo: Int32(sumBits))

    func power(_ exponent: Int) -> Int32 { scale(Int32(clamping: exponent), byPowerOfTwo: 31 - sumBits) }
    let headroom = UInt32(bitPattern: value).leadingZeroBitCount
    let first = scale(multiply(scale(value, byPowerOfTwo: headroom - 1), rootOfHalf), byPowerOfTwo: 1)
    let firstPower = saturatingSum(power(inputBits - headroom), quarter)
    let reducedHeadroom = UInt32(bitPattern: multiply(value, rootOfHalf)).leadingZeroBitCount - 1
    let second = scale(value, byPowerOfTwo: reducedHeadroom)
    let secondPower = saturatingSum(power(inputBits - reducedHeadroom), 0 &- quarter)

    let remainder = min(first, second), exponent = max(firstPower, secondPower)
    let mean = roundingHalfSum(remainder, rootOfRootOfHalf)
    let difference = (remainder &- rootOfRootOfHalf) &* 2
    let square = multiply(difference, difference)
    let numerator = multiply(difference, remainder) &+ multiply(multiply(difference, square), 117_049_297)
    let denominator =
      multiply(mean, 1_057_819_769 &+ difference &+ multiply(127_690_142, square)) &+ multiply(638_450_708, difference)
    let quotient = multiply(
      roundingDivide(numerator, byPowerOfTwo: Int32(sumBits)), inverse(ofOnePlus: denominator))
    return scale(multiply(exponent, log2) &+ quotient, byPowerOfTwo: 1)
  }

  private static func saturatingSum(_ first: Int32, _ second: Int32) -> Int32 {
    let (sum, overflow) = first.addingReportingOverflow(second)
    return overflow ? (second > 0 ? .max : .min) : sum
  }
}

extension QuantizedMultiplier {
  /// Creates the multiplier `1 / √value`; 1 for values up to 1.
  ///
  /// - Source: the reference scales the value by factors of 4 to between 2²⁷ and 2²⁹, and takes five Newton steps from
  ///   1.
  package init(inverseSquareRootOf value: Int32) {
    guard value > 1 else {
      self.init(multiplier: .max, shift: 0)
      return
    }
    var value = value, shift: Int32 = 11
    while value >= 1 << 29 {
      value /= 4
      shift += 1
    }
    let pairs = Int32((value.leadingZeroBitCount - 1) / 2 - 1)
    value <<= 2 * pairs
    shift -= pairs
    let half = FixedPoint.roundingDivide(value >> 1, byPowerOfTwo: 1)
    let oneAndAHalf: Int32 = 3 << 27
    var x: Int32 = 1 << 28
    for _ in 0..<5 {
      let cube = FixedPoint.scale(
        FixedPoint.multiply(FixedPoint.multiply(x, x), x), byPowerOfTwo: 6)
      x = FixedPoint.scale(
        FixedPoint.multiply(oneAndAHalf, x) &- FixedPoint.multiply(half, cube), byPowerOfTwo: 3)
    }
    var root = FixedPoint.multiply(x, 1_518_500_250)
    if shift < 0 {
      root <<= 0 - shift
      shift = 0
    }
    self.init(multiplier: root, shift: 0 - shift)
  }
}
