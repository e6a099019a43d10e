import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Unary real functions")
struct FloatFunctionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var kind: BuiltinOperator
    var results: [(Float, Float)]
    var testDescription: String { kind.schemaName }
  }

  static let cases = [
    Case(kind: .abs, results: [(-3, 3), (-0.0, 0), (2, 2), (-.infinity, .infinity)]),
    Case(kind: .neg, results: [(-3, 3), (2, -2), (.infinity, -.infinity)]),
    Case(kind: .square, results: [(-3, 9), (0.5, 0.25)]),
    Case(kind: .sqrt, results: [(9, 3), (2, 1.4142135), (0, 0), (-1, .nan)]),
    Case(kind: .rsqrt, results: [(4, 0.5), (0.25, 2), (0, .infinity)]),
    Case(kind: .exp, results: [(0, 1), (1, 2.7182817), (-.infinity, 0), (200, .infinity)]),
    Case(kind: .log, results: [(1, 0), (2.7182817, 1), (0, -.infinity), (-1, .nan)]),
    Case(kind: .sin, results: [(0, 0), (1.5707964, 1), (-0.5235988, -0.5)]),
    Case(kind: .cos, results: [(0, 1), (1.0471976, 0.5)]),
    Case(kind: .floor, results: [(1.5, 1), (-1.5, -2), (-0.0, -0.0), (1e30, 1e30)]),
    Case(kind: .ceil, results: [(1.5, 2), (-1.5, -1), (0.2, 1)]),
    Case(kind: .round, results: [(0.5, 0), (1.5, 2), (2.5, 2), (-1.5, -2), (3.2, 3)]),
    Case(kind: .sign, results: [(-7, -1), (0, 0), (0.001, 1), (.nan, .nan)]),
  ]

  @Test("returns hand-checked values", arguments: cases)
  func values(example: Case) throws {
    let result: [Float] = try evaluate(example.kind, [try .input(example.results.map(\.0))], to: .float32).values()
    for (value, (input, expected)) in zip(result, example.results) {
      let isClose =
        value == expected || abs(value - expected) <= 1e-6 * max(1, abs(expected)) || value.isNaN && expected.isNaN
      #expect(isClose, "\(example.kind.schemaName)(\(input)) gave \(value), not \(expected)")
    }
  }

  @Test("keeps the shape, and accepts scalars and empty tensors")
  func shapes() throws {
    #expect(try evaluate(.exp, [try .input([Float(0)], [])], to: .float32).shape == [])
    #expect(try evaluate(.exp, [try .input([Float](), [2, 0])], to: .float32).shape == [2, 0])
    #expect(
      try evaluate(.abs, [try .input([Float](repeating: -1, count: 6), [1, 2, 3])], to: .float32).shape == [
        1, 2, 3,
      ])
  }

  @Test("computes float16 in single precision")
  func halves() throws {
    let operand = try Operand.input(.float16, bits: [0x3E00, 0xBE00])
    #expect(try evaluate(.floor, [operand], to: .float16).bytes == [0x00, 0x3C, 0x00, 0xC0])
    #expect(try evaluate(.neg, [operand], to: .float16).bytes == [0x00, 0xBE, 0x00, 0x3E])
    #expect(try evaluate(.round, [try .input(.bfloat16, bits: [0x3FC0])], to: .bfloat16).bytes == [0x00, 0x40])
  }

  @Test("negates integers and returns magnitudes without trapping")
  func integers() throws {
    let operand = try Operand.input([Int32.min, -5, 0, 5])
    #expect(try evaluate(.neg, [operand], to: .int32).values() == [Int32.min, 5, 0, -5])
    #expect(try evaluate(.abs, [operand], to: .int32, version: 5).values() == [Int32.min, 5, 0, 5])
    #expect(try evaluate(.sign, [operand], to: .int32).values() == [Int32(-1), -1, 0, 1])
    #expect(try evaluate(.neg, [try .input([Int64.min, 2])], to: .int64).values() == [Int64.min, -2])
    #expect(try evaluate(.neg, [try .input([Int8.min, 2])], to: .int8).values() == [Int8.min, -2])
    #expect(try evaluate(.abs, [try .input([Int16.min, -2])], to: .int16, version: 3).values() == [Int16.min, 2])
    #expect(
      try evaluate(.sign, [try .input([Double(-2), 0, .nan])], to: .float64).values(as: Double.self)[0] == -1)
    #expect(try evaluate(.zerosLike, [operand], to: .int32).values() == [Int32(0), 0, 0, 0])
  }

  @Test("requantizes magnitudes")
  func quantizedMagnitude() throws {
    let operand = try Operand.input([Int8(-128), 3, 127], scale: 0.5, zeroPoint: 3)
    let same = try evaluate(.abs, [operand], to: .int8, TestQuantization(scale: 0.5, zeroPoint: -128), version: 2)
    #expect(try same.values() == [Int8(3), -128, -4])
    let half = try evaluate(.abs, [operand], to: .int8, TestQuantization(scale: 1, zeroPoint: -128), version: 2)
    #expect(try half.values() == [Int8(-62), -128, -66])
  }

  @Test("truncates quantized roots instead of rounding")
  func quantizedRoot() throws {
    let operand = try Operand.input([Int8(-128), -127, -120, 127], scale: 1, zeroPoint: -128)
    let result = try evaluate(.sqrt, [operand], to: .int8, TestQuantization(scale: 1), version: 2)
    #expect(try result.values() == [Int8(0), 1, 2, 15])
  }

  @Test("returns the largest quantized value for the reciprocal root of zero")
  func quantizedReciprocalRoot() throws {
    let operand = try Operand.input([Int8(-128), -127, -124, -112], scale: 1, zeroPoint: -128)
    let result = try evaluate(.rsqrt, [operand], to: .int8, TestQuantization(scale: 0.01), version: 2)
    #expect(try result.values() == [Int8(127), 100, 50, 25])
  }

  @Test("rejects roots of negative quantized values in the run", arguments: [BuiltinOperator.sqrt, .rsqrt])
  func refusesNegativeRoots(kind: BuiltinOperator) throws {
    let narrow = try Operand.input([Int8](repeating: 50, count: 40) + [9], scale: 1, zeroPoint: 10)
    let wide = try Operand.input([Int16(5), -1], scale: 1)
    for (operand, type) in [(narrow, ElementType.int8), (wide, .int16)] {
      let error = try #require(throws: RuntimeError.self) {
        try evaluate(kind, [operand], to: type, TestQuantization(scale: 1), version: 2)
      }
      #expect(error.code == .invalidInput)
    }
  }

  @Test("returns the smallest quantized value for undefined logarithms")
  func quantizedLogarithm() throws {
    let operand = try Operand.input([Int8(-10), 0, 1, 127], scale: 1)
    let result = try evaluate(.log, [operand], to: .int8, TestQuantization(scale: 0.05, zeroPoint: -3), version: 2)
    #expect(try result.values() == [Int8(-128), -128, -3, 94])
  }

  @Test("rejects a second input, unsupported types, and newer versions")
  func refuses() throws {
    let operand = try Operand.input([Float(1)]), integer = try Operand.input([Int32(1)])
    #expect(throws: RuntimeError.self) { try evaluate(.exp, [operand, operand], to: .float32) }
    #expect(throws: RuntimeError.self) { try evaluate(.exp, [integer], to: .int32) }
    #expect(throws: RuntimeError.self) { try evaluate(.exp, [operand], to: .float32, version: 3) }
  }
}
