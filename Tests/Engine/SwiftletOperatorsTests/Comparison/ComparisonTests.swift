import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Comparisons, logic, and selection")
struct ComparisonTests {
  private func compare(_ kind: BuiltinOperator, _ left: Operand, _ right: Operand, version: Int = 1) throws
    -> [Bool]
  {
    try evaluate(kind, [left, right], to: .bool, version: version).bytes.map { $0 == 1 }
  }

  static let relations: [(BuiltinOperator, [Bool])] = [
    (.equal, [false, true, false]), (.notEqual, [true, false, true]), (.less, [true, false, false]),
    (.lessEqual, [true, true, false]), (.greater, [false, false, true]), (.greaterEqual, [false, true, true]),
  ]

  @Test("support every numeric type", arguments: relations)
  func everyType(kind: BuiltinOperator, expected: [Bool]) throws {
    #expect(try compare(kind, try .input([Float(1), 2, 3]), try .input([Float(2)])) == expected)
    #expect(try compare(kind, try .input([Int32(-1), 2, 3]), try .input([Int32(2)])) == expected)
    #expect(try compare(kind, try .input([Int64(1), 2, 1 << 40]), try .input([Int64(2)])) == expected)
    #expect(try compare(kind, try .input([UInt8(1), 2, 200]), try .input([UInt8(2)])) == expected)
    let coarse = TestQuantization(scale: 0.5, zeroPoint: 10)
    let fine = TestQuantization(scale: 0.25, zeroPoint: -7)
    #expect(
      try compare(
        kind, try .input([Int8(8), 14, 30], nil, coarse), try .input([Int8(1)], nil, fine), version: 2)
        == expected)
  }

  @Test("only inequality holds for NaN")
  func notANumber() throws {
    let nan = try Operand.input([Float.nan])
    for (kind, _) in Self.relations { #expect(try compare(kind, nan, nan) == [kind == .notEqual]) }
  }

  @Test("compare bools by truth value, whatever their byte")
  func truth() throws {
    let odd = Operand.input(try Tensor(elementType: .bool, shape: [2], bytes: [0x80, 0]))
    let plain = try Operand.input([true, true])
    #expect(try compare(.equal, odd, plain) == [true, false])
    #expect(try evaluate(.logicalAnd, [odd, plain], to: .bool).bytes == [1, 0])
    #expect(try evaluate(.logicalOr, [odd, odd], to: .bool).bytes == [1, 0])
    #expect(try evaluate(.logicalNot, [odd], to: .bool).bytes == [0, 1])
  }

  @Test("combine truth values by the truth tables, with broadcasting")
  func logic() throws {
    let left = try Operand.input([false, true], [2, 1])
    let right = try Operand.input([false, true])
    #expect(try evaluate(.logicalAnd, [left, right], to: .bool).values() == [false, false, false, true])
    #expect(try evaluate(.logicalOr, [left, right], to: .bool).values() == [false, true, true, true])
  }

  @Test("select by a condition of the same shape, a scalar, or a vector along the first axis")
  func selects() throws {
    let yes = try Operand.input([Float(1), 2, 3, 4, 5, 6], [3, 2])
    let no = try Operand.input([Float(-1), -2, -3, -4, -5, -6], [3, 2])
    func select(_ condition: [Bool], _ shape: [Int]) throws -> [Float] {
      try evaluate(.select, [try .input(condition, shape), yes, no], to: .float32).values()
    }
    #expect(try select([true, false, false, true, true, false], [3, 2]) == [1, -2, -3, 4, 5, -6])
    #expect(try select([false], []) == [-1, -2, -3, -4, -5, -6])
    #expect(try select([true], [1]) == [1, 2, 3, 4, 5, 6])
    #expect(try select([true, false, true], [3]) == [1, 2, -3, -4, 5, 6])
    #expect(throws: RuntimeError.self) { try select([true, false], [2]) }
    #expect(throws: RuntimeError.self) { try select([true, false, true], [3, 1]) }
    #expect(throws: RuntimeError.self) {
      try evaluate(.select, [try .input([true]), yes, try .input([Float(0)])], to: .float32)
    }
  }

  @Test("select with everything broadcasting, elements of every size")
  func selectsBroadcasting() throws {
    let condition = try Operand.input([true, false, true], [3, 1])
    func select<Scalar: TensorScalar>(_ yes: [Scalar], _ no: [Scalar]) throws -> [Scalar] {
      try evaluate(
        .selectV2, [condition, try .input(yes, [1, 2]), try .input(no, [1])], to: Scalar.elementType
      ).values()
    }
    #expect(try select([Int8(1), 2], [9]) == [1, 2, 9, 9, 1, 2])
    #expect(try select([Int16(1), 2], [9]) == [1, 2, 9, 9, 1, 2])
    #expect(try select([Float(1), 2], [9]) == [1, 2, 9, 9, 1, 2])
    #expect(try select([Int64(1), 2], [9]) == [1, 2, 9, 9, 1, 2])
    let row = try evaluate(
      .selectV2,
      [try .input([true, false]), try .input([Float(1)]), try .input([Float(2), 3, 4, 5], [2, 2])],
      to: .float32)
    #expect(try row.values() == [Float(1), 3, 1, 5])
  }

  /// At a scale of 1/512, pairs of quantized values have the same real value with 8 fraction bits.
  @Test("quantized values of one scale compare by their real values", arguments: [Float(0.5), Float(1) / 512])
  func comparesOneScale(scale: Float) throws {
    let quantization = TestQuantization(scale: scale, zeroPoint: 3)
    let left = (-128...127).map { Int8($0) }
    for right in [-128, -1, 3, 4, 100, 127] as [Int8] {
      let results: [Bool] = try evaluate(
        .greater,
        [.input(left, nil, quantization), .input([right], nil, quantization)], to: .bool
      ).values()
      func value(_ quantized: Int8) -> Int { Int((Double(scale) * Double((Int(quantized) - 3) * 256)).rounded()) }
      if scale == 0.5 {
        #expect(results == left.map { $0 > right })
      } else {
        // Halves may round either way.
        for (index, result) in results.enumerated() where abs(Int(left[index]) - Int(right)) != 1 {
          #expect(result == (value(left[index]) > value(right)), "\(left[index]) > \(right)")
        }
        #expect(zip(results, results.dropFirst()).allSatisfy { !$0 || $1 })
      }
    }
  }

  @Test("select from rows of any length, of vectors and of single elements")
  func selectsRows() throws {
    for count in [1, 15, 16, 17, 33, 70] {
      let condition = (0..<2 * count).map { $0 % 3 == 0 || $0 % 7 == 2 }
      let first = (0..<2 * count).map { Int8(truncatingIfNeeded: $0) }, second = first.map { ~$0 }
      func select(_ yes: [Int8], _ no: [Int8]) throws -> [Int8] {
        try evaluate(
          .selectV2,
          [
            .input(condition, [2, count]), .input(yes, yes.count == 1 ? [1] : [2, count]),
            .input(no, no.count == 1 ? [1] : [2, count]),
          ], to: .int8
        ).values()
      }
      func expected(_ yes: [Int8], _ no: [Int8]) -> [Int8] {
        condition.indices.map { condition[$0] ? yes[yes.count == 1 ? 0 : $0] : no[no.count == 1 ? 0 : $0] }
      }
      for (yes, no) in [(first, second), (first, [9]), ([9], second), ([9], [-9])] {
        #expect(try select(yes, no) == expected(yes, no), "\(count) columns")
      }
    }
  }
}
