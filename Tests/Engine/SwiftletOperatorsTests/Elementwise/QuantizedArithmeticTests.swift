import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Quantized arithmetic")
struct QuantizedArithmeticTests {
  /// The quantized values whose pairs are relevant.
  private static let codes: [Int8] = [-128, -127, -77, -1, 0, 1, 50, 126, 127]

  private static func pairs() -> (left: [Int8], right: [Int8]) {
    (codes.flatMap { code in codes.map { _ in code } }, codes.flatMap { _ in codes })
  }

  @Test(
    "is within a step of real arithmetic, in both rounding modes",
    arguments: [BuiltinOperator.add, .sub, .mul, .squaredDifference], bothNumerics)
  func followsRealArithmetic(kind: BuiltinOperator, run: RuntimeOptions) throws {
    let leftScale = TestQuantization(scale: 0.043, zeroPoint: 5)
    let rightScale = TestQuantization(scale: 0.011, zeroPoint: -90)
    let outputScale = TestQuantization(scale: kind == .squaredDifference ? 0.3 : 0.06, zeroPoint: -20)
    let (left, right) = Self.pairs()
    let result: [Int8] = try evaluate(
      kind, [try .input(left, nil, leftScale), try .input(right, nil, rightScale)], to: .int8, outputScale,
      version: 2, run: run
    ).values()
    for index in left.indices {
      let first = (Float(left[index]) - 5) * 0.043
      let second = (Float(right[index]) + 90) * 0.011
      let real: Float =
        switch kind {
        case .add: first + second
        case .sub: first - second
        case .mul: first * second
        default: (first - second) * (first - second)
        }
      let expected = min(127, max(-128, real / outputScale.scale - 20))
      #expect(abs(Float(result[index]) - expected) <= 1.01, "\(left[index]) and \(right[index])")
    }
  }

  @Test("subtracts a constant from all values, whatever the scales", arguments: bothNumerics)
  func subtractsOneCode(run: RuntimeOptions) throws {
    let one = TestQuantization(scale: 1, zeroPoint: -128), tiny = TestQuantization(scale: 1e-6)
    let left = try Operand.input(Self.codes, nil, one)
    for right in [[Int8(100)], [Int8](repeating: 100, count: Self.codes.count)] {
      let result: [Int8] = try evaluate(
        .sub, [left, try .input(right, nil, tiny)], to: .int8, one, version: 2, run: run
      ).values()
      #expect(result == Self.codes)
    }
    var graph = TestGraph()
    let data = graph.input(.int8, [9], scale: 1, zeroPoint: -128)
    let constant = graph.constant([Int8](repeating: 3, count: 9), shape: [9])
    graph.quantize(constant, QuantizationParameters(scales: [300], zeroPoints: [2], axis: 0))
    let result = graph.output(.int8, [], scale: 1, zeroPoint: -128)
    graph.add(.sub, [constant, data], [result], version: 2)
    let codes: [Int8] = try graph.session(options: run).run([try Tensor(Self.codes, shape: [9])])[0].values()
    // 300 minus the numbers from 0 to 255.
    #expect(codes == Self.codes.map { Int8(min(127, 300 - (Int($0) + 128) - 128)) })
  }

  @Test("rounds sums half up and products half to even in fast numerics, without the zero point")
  func roundsTies() throws {
    let half = TestQuantization(scale: 0.5), one = TestQuantization(scale: 1, zeroPoint: 3)
    let codes = try Operand.input([Int8(-5), -3, -1, 1, 3, 5], nil, half)
    let zero = try Operand.input([Int8(0)], nil, half)
    let two = try Operand.input([Int8(2)], nil, half)
    #expect(
      try evaluate(.add, [codes, zero], to: .int8, one, version: 2).values() == [Int8(1), 2, 3, 4, 5, 6])
    #expect(
      try evaluate(.sub, [zero, codes], to: .int8, one, version: 2).values() == [Int8(6), 5, 4, 3, 2, 1])
    #expect(
      try evaluate(.mul, [codes, two], to: .int8, one, version: 2).values() == [Int8(1), 1, 3, 3, 5, 5])
  }

  @Test("divides within a step of real arithmetic", arguments: bothNumerics)
  func divides(run: RuntimeOptions) throws {
    let left: [UInt8] = [0, 10, 100, 128, 200, 255]
    let right: [UInt8] = [1, 30, 90, 110, 129, 255]
    let result: [UInt8] = try evaluate(
      .div,
      [
        try .input(left, scale: 0.02, zeroPoint: 100),
        try .input(right, scale: 0.01, zeroPoint: 0),
      ], to: .uint8, TestQuantization(scale: 0.1, zeroPoint: 120), run: run
    ).values()
    for index in left.indices {
      let real = (Float(left[index]) - 100) * 0.02 / (Float(right[index]) * 0.01)
      #expect(abs(Float(result[index]) - min(255, max(0, real / 0.1 + 120))) <= 1)
    }
  }

  @Test("rejects a divisor that represents zero", arguments: bothNumerics)
  func refusesZero(run: RuntimeOptions) throws {
    let divisor = try Operand.input([Int8(3), 7], scale: 1, zeroPoint: 7)
    #expect(throws: RuntimeError.self) {
      try evaluate(.div, [divisor, divisor], to: .int8, TestQuantization(scale: 1), version: 2, run: run)
    }
  }

  @Test("clamps quantized values to the fused activation", arguments: bothNumerics)
  func clamps(run: RuntimeOptions) throws {
    let operand = try Operand.input([Int8(-100), -20, 0, 20, 100], scale: 0.1)
    let zero = try Operand.input([Int8(0)], scale: 0.1)
    func result(_ activation: Int8) throws -> [Int8] {
      try evaluate(
        .add, [operand, zero], to: .int8, TestQuantization(scale: 0.1, zeroPoint: 10),
        options: AddOptions.with { [$0.fusedActivation(code: activation)] }, version: 2, run: run
      ).values()
    }
    #expect(try result(0) == [-90, -10, 10, 30, 110])
    #expect(try result(1) == [10, 10, 10, 30, 110])
    #expect(try result(2) == [0, 0, 10, 20, 20])
    #expect(try result(3) == [10, 10, 10, 30, 70])
  }

  @Test("shifts int16 whose scales are powers of two, and saturates", arguments: bothNumerics)
  func shifts(run: RuntimeOptions) throws {
    let left = try Operand.input([Int16(1000), 32767, -5], scale: 0x1p-12)
    let right = try Operand.input([Int16(3), 32767, -3], scale: 0x1p-13)
    let result = try evaluate(
      .add, [left, right], to: .int16, TestQuantization(scale: 0x1p-12),
      options: AddOptions.with { [$0.powerOfTwoScaleInt16(true)] }, version: 2,
      run: run)
    #expect(try result.values() == [Int16(1002), 32767, -7])
  }

  @Test("multiplies int16 fractions into 8 bits")
  func narrows() throws {
    let operand = try Operand.input([Int16(16384), -32768, 181], scale: 0x1p-15)
    let result = try evaluate(.mul, [operand, operand], to: .int8, TestQuantization(scale: 0x1p-7), version: 3)
    #expect(try result.values() == [Int8(32), 127, 0])
  }

  @Test("compares quantized values for extrema, whatever the scales")
  func extrema() throws {
    let left = try Operand.input([Int8(3), -4], scale: 1)
    let right = try Operand.input([Int8(2), 5], scale: 100, zeroPoint: 3)
    #expect(
      try evaluate(.maximum, [left, right], to: .int8, TestQuantization(scale: 1), version: 2).values() == [Int8(3), 5])
    #expect(
      try evaluate(.minimum, [left, right], to: .int8, TestQuantization(scale: 1), version: 2).values() == [
        Int8(2), -4,
      ])
  }

  @Test("rejects tensors without scales, or with zero points outside their type")
  func refusesQuantization() throws {
    let good = TestQuantization(scale: 0.1)
    func add(_ left: TestQuantization?, _ output: TestQuantization?) throws {
      let operand = try Operand.input([Int8(1)], nil, left)
      _ = try evaluate(.add, [operand, operand], to: .int8, output, version: 2)
    }
    try add(good, good)
    #expect(throws: RuntimeError.self) { try add(nil, good) }
    #expect(throws: RuntimeError.self) { try add(good, nil) }
    #expect(throws: RuntimeError.self) { try add(TestQuantization(scale: 0), good) }
    #expect(throws: RuntimeError.self) { try add(TestQuantization(scale: -1), good) }
    #expect(throws: RuntimeError.self) { try add(TestQuantization(scale: .infinity), good) }
    #expect(throws: RuntimeError.self) { try add(TestQuantization(scale: .nan), good) }
    #expect(throws: RuntimeError.self) { try add(TestQuantization(scale: 1, zeroPoint: 128), good) }
    #expect(throws: RuntimeError.self) { try add(good, TestQuantization(scale: 1, zeroPoint: .min)) }
    let wide = try Operand.input([Int16(1)], scale: 1, zeroPoint: 1)
    #expect(throws: RuntimeError.self) { try evaluate(.mul, [wide, wide], to: .int16, good, version: 4) }
  }

  @Test(
    "survives the smallest and largest float scales",
    arguments: [BuiltinOperator.add, .sub, .mul, .div, .squaredDifference, .less],
    bothNumerics)
  func survivesScales(kind: BuiltinOperator, run: RuntimeOptions) throws {
    let extremes: [Float] = [.leastNonzeroMagnitude, .leastNormalMagnitude, 1, .greatestFiniteMagnitude]
    for first in extremes {
      for second in extremes {
        for third in extremes {
          let left = try Operand.input([Int8(-128), 1, 127], scale: first, zeroPoint: 127)
          let right = try Operand.input([Int8(-128), 2, 127], scale: second, zeroPoint: 3)
          let result = try evaluate(
            kind, [left, right], to: kind == .less ? .bool : .int8, TestQuantization(scale: third, zeroPoint: -128),
            options: kind == .less ? nil : ArithmeticTests.options(kind, activation: 3), version: 2, run: run)
          #expect(result.bytes.count == 3)
        }
      }
    }
  }
}
