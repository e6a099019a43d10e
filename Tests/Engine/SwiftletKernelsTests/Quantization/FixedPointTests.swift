import Testing

@testable import SwiftletKernels

/// Checks values that were worked out by hand from the definition of the reference's fixed-point arithmetic.
@Suite("Fixed point")
struct FixedPointTests {
  @Test("a factor is a fraction of at least one half and a power of two")
  func factors() {
    func parts(_ factor: Double) -> [Int32] {
      let multiplier = QuantizedMultiplier(factor)
      return [multiplier.multiplier, multiplier.shift]
    }
    #expect(parts(0.5) == [1 << 30, 0])
    #expect(parts(0.75) == [3 << 29, 0])
    #expect(parts(1) == [1 << 30, 1])
    #expect(parts(-0.5) == [-1 << 30, 0])
    #expect(parts(10) == [5 << 28, 4])
    // A fraction that would round to 1 becomes a half with the next exponent.
    #expect(parts(1.0.nextDown) == [1 << 30, 1])
    #expect(parts((-1.0).nextUp) == [-1 << 30, 1])
    #expect(parts(1 - 0x1p-31) == [.max, 0])
    #expect(parts(0x1p-32) == [1 << 30, -31])
    #expect(parts(0x1p-33) == [0, 0])
    #expect(parts(0x1p-32.nextDown) == [1 << 30, -31])
    #expect(parts(0x1.ffffffep-33) == [0, 0])
    #expect(parts(.greatestFiniteMagnitude) == [1 << 30, 1025])
    for factor in [0, -0.0, Double.infinity, -.infinity, .nan, .leastNonzeroMagnitude, -.leastNormalMagnitude] {
      #expect(parts(factor) == [0, 0])
    }
  }

  @Test("a fraction is rounded half away from zero")
  func roundsFractions() {
    var random = SplitMix(seed: 40)
    let half: Int64 = 1 << 21
    for _ in 0..<10_000 {
      // 31 bits, and the 22 bits that are rounded: any, and around a half.
      let fixed = Int64.random(in: 1 << 30..<1 << 31, using: &random)
      let rests: [Int64] = [Int64.random(in: 0..<2 * half, using: &random), half - 1, half]
      for rest in rests {
        let exponent = Int.random(in: -30...40, using: &random)
        let factor = Double(fixed << 22 | rest) * Double(sign: .plus, exponent: exponent - 53, significand: 1)
        let rounded = rest < half ? fixed : fixed + 1
        let isOne = rounded == 1 << 31
        let multiplier = Int32(isOne ? 1 << 30 : rounded), shift = Int32(isOne ? exponent + 1 : exponent)
        #expect(QuantizedMultiplier(factor) == QuantizedMultiplier(multiplier: multiplier, shift: shift))
        #expect(QuantizedMultiplier(-factor) == QuantizedMultiplier(multiplier: -multiplier, shift: shift))
      }
    }
  }

  @Test("the upper half of a doubled product is rounded")
  func products() {
    func wide(_ first: Int32, _ second: Int32) -> Int32 {
      FixedPoint.saturatingRoundingDoublingHighMultiply(first, second)
    }
    #expect(wide(1 << 30, 1 << 30) == 1 << 29)
    #expect(wide(.min, .min) == .max)
    #expect(wide(.min, .max) == -.max)
    #expect(wide(.min, 1) == -1)
    // 0.5, 0.5 minus 2^-31, 1.5, and their negatives, with halves rounded up.
    #expect(wide(1 << 15, 1 << 15) == 1)
    #expect(wide((1 << 30) - 1, 1) == 0)
    #expect(wide(3 << 15, 1 << 15) == 2)
    #expect(wide(-1 << 15, 1 << 15) == 0)
    #expect(wide(-3 << 14, 1 << 15) == -1)
    func short(_ first: Int16, _ second: Int16) -> Int16 {
      FixedPoint.saturatingRoundingDoublingHighMultiply(first, second)
    }
    #expect(short(1 << 14, 1 << 14) == 1 << 13)
    #expect(short(.min, .min) == .max)
    #expect(short(.min, .max) == -.max)
    #expect(short(1 << 7, 1 << 7) == 1)
    #expect(short((1 << 14) - 1, 1) == 0)
    #expect(short(-1 << 7, 1 << 7) == 0)
    #expect(short(-3 << 6, 1 << 7) == -1)
  }

  @Test("division by a power of two rounds half away from zero")
  func divisions() {
    func quotient(_ value: Int32, _ exponent: Int32) -> Int32 {
      FixedPoint.roundingDivide(value, byPowerOfTwo: exponent)
    }
    #expect([4, 5, 6, 7].map { quotient($0, 2) } == [1, 1, 2, 2])
    #expect([-4, -5, -6, -7].map { quotient($0, 2) } == [-1, -1, -2, -2])
    #expect([5, -5, 5, -5].map { quotient($0, 0) } == [5, -5, 5, -5])
    #expect(quotient(7, -1) == 7)
    #expect([.max, 1 << 30, 1 << 30 - 1].map { quotient($0, 31) } == [1, 1, 0])
    #expect([.min, -1 << 30, 1 - 1 << 30].map { quotient($0, 31) } == [-1, -1, 0])
    #expect(quotient(.max, 32) == 0)
  }

  @Test("a factor of 32 bits is applied in two steps")
  func application() {
    #expect([7, -7, 100].map { QuantizedMultiplier(1).apply($0 as Int32) } == [7, -7, 100])
    #expect([7, 9, -9].map { QuantizedMultiplier(0.5).apply($0 as Int32) } == [4, 5, -4])
    #expect(QuantizedMultiplier(0.125).apply(Int32(20)) == 3)
    #expect(QuantizedMultiplier(8).apply(Int32(-3)) == -24)
  }

  @Test("64-bit sums are multiplied by 15-bit factors and rounded once, half up")
  func wideApplication() {
    func apply(_ multiplier: Int32, _ shift: Int32, _ value: Int64) -> Int32 {
      QuantizedMultiplier(multiplier: multiplier, shift: shift).apply(value)
    }
    #expect(apply(1 << 30, 1, 5) == 5)
    #expect([7, -7, 9].map { apply(1 << 30, 0, $0) } == [4, -3, 5])
    // 15 fractional bits, the last one rounded, and never one.
    #expect(apply(1 << 30 + 1 << 15, 0, 1 << 15) == 1 << 14 + 1)
    #expect(apply(1 << 30 + 1 << 15 - 1, 0, 1 << 15) == 1 << 14)
    #expect(apply(.max, 0, 1 << 15) == 32767)
    #expect(apply(0x7FFE_FFFF, 0, 1 << 15) == 32767)
    #expect(apply(0x7FFE_7FFF, 0, 1 << 15) == 32766)
    // Shifts of 0, 1, 62 and 63 bits.
    #expect(apply(1 << 30, 15, 2) == 32768)
    #expect(apply(1 << 30, 14, 3) == 24576)
    #expect(apply(1 << 30, -47, 1 << 47) == 1)
    #expect(apply(1 << 30, -48, 1 << 48) == 0)
  }

  @Test(
    "the reciprocal square root is right up to the largest number",
    arguments: [2, 3, 4, 100, 65535, 1 << 27, 1 << 28, 1 << 29 - 1, 1 << 29, 1 << 30, .max] as [Int32])
  func roots(value: Int32) {
    let root = QuantizedMultiplier(inverseSquareRootOf: value)
    var real = Double(root.multiplier) / 0x1p31
    for _ in 0..<abs(root.shift) { real *= root.shift > 0 ? 2 : 0.5 }
    #expect(abs(real * Double(value).squareRoot() - 1) < 0x1p-18)
  }

  @Test("the reciprocal square root of zero and negative numbers is that of one", arguments: [1, 0, -7] as [Int32])
  func rootOfOne(value: Int32) {
    #expect(QuantizedMultiplier(inverseSquareRootOf: value) == QuantizedMultiplier(multiplier: .max, shift: 0))
  }
}
