import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("POW, FLOOR_DIV, FLOOR_MOD, ATAN2 and bits")
struct PowerAndRemainderTests {
  @Test("raises floats to constant and computed powers alike", arguments: [Float(2), 3, 0.5, -1, 0, 1.5])
  func floatPowers(exponent: Float) throws {
    let base = try Operand.input([Float(0.5), 1, 2, 9, 100])
    let constant: [Float] = try evaluate(.pow, [base, .constant([exponent])], to: .float32)
      .values()
    let computed: [Float] = try evaluate(.pow, [base, try .input([exponent])], to: .float32).values()
    for (fast, general) in zip(constant, computed) { #expect(abs(fast - general) <= 2e-7 * abs(general)) }
    #expect(constant[1] == 1)
  }

  @Test("a square root as a power differs from SQRT in special cases")
  func rootEdges() throws {
    let base = try Operand.input([-Float.infinity, -0.0, -4, .infinity])
    let result: [Float] = try evaluate(.pow, [base, .constant([Float(0.5)])], to: .float32)
      .values()
    #expect(result[0] == .infinity)
    #expect(result[1].sign == .plus)
    #expect(result[2].isNaN)
    #expect(result[3] == .infinity)
  }

  @Test("broadcasts the base over the exponents")
  func broadcastBase() throws {
    let result = try evaluate(
      .pow, [try .input([Float(2)], []), try .input([Float(1), 2, 3])], to: .float32)
    #expect(try result.values() == [Float(2), 4, 8])
  }

  @Test("raises integers, wraps, and rejects negative exponents")
  func integerPowers() throws {
    let base = try Operand.input([Int32(2), -3, 0, 10, 7])
    #expect(
      try evaluate(.pow, [base, try .input([Int32(10), 3, 0, 10, 1])], to: .int32).values() == [
        Int32(1024), -27, 1, 1_410_065_408, 7,
      ])
    let error = try #require(throws: RuntimeError.self) {
      try evaluate(.pow, [base, try .input([Int32(-1)])], to: .int32)
    }
    #expect(error.code == .invalidInput)
  }

  @Test("divides toward minus infinity, and the remainder has the divisor's sign")
  func floorDivision() throws {
    let left = try Operand.input([Int32(7), -7, 7, -7, 6, .min])
    let right = try Operand.input([Int32(2), 2, -2, -2, 3, -1])
    #expect(try evaluate(.floorDiv, [left, right], to: .int32).values() == [Int32(3), -4, -4, 3, 2, .min])
    #expect(try evaluate(.floorMod, [left, right], to: .int32).values() == [Int32(1), 1, -1, -1, 0, 0])
    let floats = try Operand.input([Float(7), -7, 7.5])
    let divisors = try Operand.input([Float(2), 2, -2])
    #expect(try evaluate(.floorDiv, [floats, divisors], to: .float32).values() == [Float(3), -4, -4])
    #expect(try evaluate(.floorMod, [floats, divisors], to: .float32).values() == [Float(1), 1, -0.5])
  }

  @Test("a zero float divisor is an error for the quotient, and NaN for the remainder")
  func floatZeroDivisor() throws {
    let one = try Operand.input([Float(1)])
    let zero = try Operand.input([Float(0)])
    #expect(throws: RuntimeError.self) { try evaluate(.floorDiv, [one, zero], to: .float32) }
    #expect(try evaluate(.floorMod, [one, zero], to: .float32).values(as: Float.self)[0].isNaN)
  }

  @Test("returns angles in all quadrants")
  func angles() throws {
    let y = try Operand.input([Double(1), 1, -1, -1, 0])
    let x = try Operand.input([Double(1), -1, -1, 1, -1])
    let result: [Double] = try evaluate(.atan2, [y, x], to: .float64).values()
    for (value, eighths) in zip(result, [1.0, 3, -3, -1, 4]) { #expect(abs(value - eighths * .pi / 4) < 1e-15) }
  }

  @Test("combines bits, and clamps shifts to the width")
  func bits() throws {
    let left = try Operand.input([Int8(0b0101), -1, 100, -100])
    let right = try Operand.input([Int8(0b0011), 1, -1, 100])
    #expect(try evaluate(.bitwiseXor, [left, right], to: .int8).values() == [Int8(0b0110), -2, -101, -8])
    #expect(try evaluate(.rightShift, [left, right], to: .int8).values() == [Int8(0), -1, 100, -1])
    #expect(
      try evaluate(.rightShift, [try .input([UInt32.max]), try .input([UInt32(40)])], to: .uint32).values()
        == [UInt32(1)])
  }
}
