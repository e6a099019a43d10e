import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("16-bit floats")
struct SixteenBitFloatTests {
  /// Returns the value of a half by the definition of its fields.
  private static func value(ofHalf bits: UInt16) -> Float {
    let sign: Float = bits & 0x8000 == 0 ? 1 : -1
    let fraction = Float(bits & 0x3FF)
    switch (bits >> 10) & 0x1F {
    case 0: return sign * fraction * 0x1p-24
    case 31: return fraction == 0 ? sign * .infinity : .nan
    case let exponent:
      return sign * (1 + fraction / 1024) * Float(sign: .plus, exponent: Int(exponent) - 15, significand: 1)
    }
  }

  @Test("every float16 has the value of its fields")
  func widensHalves() {
    for bits in 0...UInt16.max {
      let value = unsafeBitCast(bits, to: Half.self).floatValue
      let expected = Self.value(ofHalf: bits)
      guard value != expected || value.sign != expected.sign else { continue }
      #expect(value.isNaN && expected.isNaN, "bits \(bits)")
    }
  }

  @Test("every float16 survives the conversion to single precision and back")
  func narrowsHalves() {
    for bits in 0...UInt16.max {
      let half = unsafeBitCast(bits, to: Half.self)
      let back = Half(half.floatValue)
      if half.floatValue.isNaN {
        #expect(back.floatValue.isNaN)
      } else if back.bitPattern != bits {
        Issue.record("\(bits) came back as \(back.bitPattern)")
      }
    }
  }

  @Test("float16 rounds to nearest, ties to even")
  func roundsHalves() {
    for bits in stride(from: UInt16(0), to: 0x7BFF, by: 1) {
      let low = Self.value(ofHalf: bits)
      let high = Self.value(ofHalf: bits + 1)
      let middle = (low + high) / 2
      let even = bits % 2 == 0 ? bits : bits + 1
      guard Half(middle).bitPattern == even, Half(-middle).bitPattern == even | 0x8000,
        Half(middle.nextDown).bitPattern == bits, Half(middle.nextUp).bitPattern == bits + 1
      else {
        Issue.record("the middle above \(low) is rounded wrongly")
        continue
      }
    }
    #expect(Half(65519.996).floatValue == 65504)
    #expect(Half(65520).floatValue == .infinity)
    #expect(Half(-Float.greatestFiniteMagnitude).floatValue == -.infinity)
    #expect(Half(.leastNonzeroMagnitude).bitPattern == 0)
  }

  @Test("bfloat16 is the upper half of a float32, rounded to nearest, ties to even")
  func roundsBrainFloats() {
    #expect(BFloat16(1).bitPattern == 0x3F80)
    #expect(BFloat16(Float(bitPattern: 0x3F80_8000)).bitPattern == 0x3F80)
    #expect(BFloat16(Float(bitPattern: 0x3F81_8000)).bitPattern == 0x3F82)
    #expect(BFloat16(Float(bitPattern: 0x3F80_8001)).bitPattern == 0x3F81)
    #expect(BFloat16(.nan).floatValue.isNaN)
    #expect(BFloat16(-.infinity).floatValue == -.infinity)
    #expect(BFloat16(.greatestFiniteMagnitude).floatValue == .infinity)
  }
}
