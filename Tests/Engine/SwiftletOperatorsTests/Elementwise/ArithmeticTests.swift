import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("ADD, SUB, MUL, DIV, MAXIMUM and MINIMUM")
struct ArithmeticTests {
  /// Returns the options with a fused activation.
  static func options(_ kind: BuiltinOperator, activation: Int8 = 0) -> WrittenOptions? {
    switch kind {
    case .add: AddOptions.with { [$0.fusedActivation(code: activation)] }
    case .sub: SubOptions.with { [$0.fusedActivation(code: activation)] }
    case .mul: MulOptions.with { [$0.fusedActivation(code: activation)] }
    case .div: DivOptions.with { [$0.fusedActivation(code: activation)] }
    default: nil
    }
  }

  @Test("compute floats")
  func floats() throws {
    let left = try Operand.input([Float(6), -3, 0.5, 8])
    let right = try Operand.input([Float(2), 4, -0.25, 8])
    func result(_ kind: BuiltinOperator) throws -> [Float] { try evaluate(kind, [left, right], to: .float32).values() }
    #expect(try result(.add) == [8, 1, 0.25, 16])
    #expect(try result(.sub) == [4, -7, 0.75, 0])
    #expect(try result(.mul) == [12, -12, -0.125, 64])
    #expect(try result(.div) == [3, -0.75, -2, 1])
    #expect(try result(.maximum) == [6, 4, 0.5, 8])
    #expect(try result(.minimum) == [2, -3, -0.25, 8])
    #expect(try result(.squaredDifference) == [16, 49, 0.5625, 0])
  }

  @Test("clamp to the fused activation", arguments: [BuiltinOperator.add, .sub])
  func fusedActivations(kind: BuiltinOperator) throws {
    let left = try Operand.input([Float(-7), -0.5, 0.5, 3, 9, .nan])
    let zero = try Operand.input([Float(0)])
    func result(_ activation: Int8) throws -> [Float] {
      try evaluate(kind, [left, zero], to: .float32, options: Self.options(kind, activation: activation)).values()
    }
    #expect(try result(1).prefix(5) == [0, 0, 0.5, 3, 9])
    #expect(try result(2).prefix(5) == [-1, -0.5, 0.5, 1, 1])
    #expect(try result(3).prefix(5) == [0, 0, 0.5, 3, 6])
    #expect(try result(3)[5].isNaN)
  }

  @Test("reject activations other than clamps, and unknown ones")
  func refusesActivations() throws {
    let operand = try Operand.input([Float(1)])
    for activation: Int8 in [4, 5, 9, -1] {
      #expect(throws: RuntimeError.self) {
        try evaluate(.add, [operand, operand], to: .float32, options: Self.options(.add, activation: activation))
      }
    }
  }

  @Test("fuse a following activation")
  func takesOverActivation() throws {
    var graph = TestGraph()
    let left = graph.input(.float32, [3])
    let right = graph.input(.float32, [3])
    let sum = graph.tensor(.float32, [3])
    let clamped = graph.output(.float32, [3])
    graph.add(.add, [left, right], [sum])
    graph.add(.relu6, [sum], [clamped])
    let operands = [try Tensor([Float(1), 5, -3], shape: [3]), try Tensor([Float(1), 5, 1], shape: [3])]
    #expect(try graph.session().run(operands)[0].values() == [Float(2), 6, 0])
    #expect(try AddOperatorFusion.fused(twice: true) == nil)
  }

  @Test("wrap integers instead of trapping")
  func wrapsIntegers() throws {
    let left = try Operand.input([Int32.max, .min, 7])
    let right = try Operand.input([Int32(1), -1, 3])
    #expect(try evaluate(.add, [left, right], to: .int32).values() == [Int32.min, .max, 10])
    let differences: [Int32] = [.max - 1, .min + 1, 4]
    #expect(try evaluate(.sub, [left, right], to: .int32).values() == differences)
    #expect(try evaluate(.mul, [left, left], to: .int32).values() == [Int32(1), 0, 49])
    #expect(try evaluate(.div, [left, right], to: .int32).values() == [Int32.max, .min, 2])
    #expect(
      try evaluate(.squaredDifference, [left, right], to: .int32).values() == [
        (Int32.max - 1) &* (Int32.max - 1), (Int32.min + 1) &* (Int32.min + 1), 16,
      ])
  }

  @Test("clamp integers to the fused activation")
  func clampsIntegers() throws {
    let left = try Operand.input([Int64(-4), 4, 40])
    let one = try Operand.input([Int64(1)])
    #expect(
      try evaluate(.add, [left, one], to: .int64, options: Self.options(.add, activation: 3)).values() == [
        Int64(0), 5, 6,
      ])
  }

  @Test("compute int16 without quantization as plain numbers")
  func plainInt16() throws {
    let operand = try Operand.input([Int16(300), -7])
    #expect(try evaluate(.add, [operand, operand], to: .int16, version: 2).values() == [Int16(600), -14])
    #expect(
      try evaluate(.mul, [operand, operand], to: .int16, version: 6).values() == [
        Int16(truncatingIfNeeded: 90_000), 49,
      ])
  }

  @Test("compute 16-bit floats in single precision")
  func sixteenBitFloats() throws {
    let left = try Operand.input(.float16, bits: [0x3C00, 0x4200, 0xFBFF])
    let right = try Operand.input(.float16, bits: [0x3C00, 0x3800, 0xFBFF])
    #expect(try evaluate(.add, [left, right], to: .float16, version: 6).bytes == [0x00, 0x40, 0x00, 0x43, 0x00, 0xFC])
    #expect(
      try evaluate(.maximum, [left, right], to: .float16, version: 4).bytes == [0x00, 0x3C, 0x00, 0x42, 0xFF, 0xFB])
    let brain = try Operand.input(.bfloat16, bits: [0x3F80, 0xC000])
    #expect(try evaluate(.minimum, [brain, brain], to: .bfloat16, version: 4).bytes == [0x80, 0x3F, 0x00, 0xC0])
  }

  @Test("propagate NaN in an extremum if it is the right operand, but not if it is the left")
  func extremaOfNaN() throws {
    let left = try Operand.input([Float.nan, 1])
    let right = try Operand.input([Float(1), .nan])
    for kind in [BuiltinOperator.maximum, .minimum] {
      let result: [Float] = try evaluate(kind, [left, right], to: .float32).values()
      #expect(result[0] == 1)
      #expect(result[1].isNaN)
    }
  }

  @Test("reject a zero divisor among integers in the run, in any position")
  func refusesZeroDivisor() throws {
    let left = try Operand.input([Int32](repeating: 5, count: 100))
    for position in [0, 63, 99] {
      var divisors = [Int32](repeating: 2, count: 100)
      divisors[position] = 0
      let right = try Operand.input(divisors)
      for kind in [BuiltinOperator.div, .floorDiv, .floorMod] {
        let error = try #require(throws: RuntimeError.self) { try evaluate(kind, [left, right], to: .int32) }
        #expect(error.code == .invalidInput)
        #expect(error.location?.operatorName == kind.schemaName)
      }
    }
  }

  @Test("multiply complex numbers")
  func complexNumbers() throws {
    func complex(_ parts: [Float]) throws -> Operand {
      .input(
        try Tensor(
          elementType: .complex64, shape: [parts.count / 2], bytes: parts.withUnsafeBytes { [UInt8]($0) }))
    }
    let product = try evaluate(
      .mul, [try complex([1, 2, 0, 1]), try complex([3, -1, 0, 1])], to: .complex64, version: 5)
    #expect(product.bytes == [Float(5), 5, -1, 0].withUnsafeBytes { [UInt8]($0) })
    #expect(throws: RuntimeError.self) {
      try evaluate(
        .mul, [try complex([1, 2]), try complex([3, 4])], to: .complex64, options: Self.options(.mul, activation: 1),
        version: 5)
    }
  }

  @Test("do nothing for an empty tensor")
  func emptyTensors() throws {
    let empty = try Operand.input([Float](), [2, 0, 3])
    let row = try Operand.input([Float(1), 2, 3], [1, 1, 3])
    #expect(try evaluate(.add, [empty, row], to: .float32).shape == [2, 0, 3])
  }

  @Test("sum several tensors from left to right")
  func addsMany() throws {
    let operands = try (0..<5).map { try Operand.input([Float($0), 1, 1e8 * ($0 == 0 ? 1 : 0)]) }
    #expect(try evaluate(.addN, operands, to: .float32).values() == [Float(10), 5, 1e8])
    #expect(throws: RuntimeError.self) { try evaluate(.addN, [operands[0]], to: .float32) }
    #expect(throws: RuntimeError.self) {
      try evaluate(.addN, [operands[0], try .input([Float(1)])], to: .float32)
    }
  }
}

/// Fuses activations into an operator's value, without a graph around it.
private enum AddOperatorFusion {
  static func fused(twice: Bool) throws -> AddOperator? {
    let node = NodeReader(
      location: .init(),
      description: OperatorDescription(
        code: OperatorCode(kind: .builtin(.add), version: 1), inputs: [0, 1], outputs: [2], options: .absent))
    let once = try AddOperator(parsing: node).fusing(.relu)
    return twice ? once?.fusing(.relu6) : once
  }
}
