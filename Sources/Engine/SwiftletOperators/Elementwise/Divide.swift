import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// DIV: `activation(left / right)`, with broadcasting. Integer division truncates toward zero; a zero divisor is an
/// error of the run.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, int32; int8, uint8, int16 quantized per tensor.
/// - Source: operator 42 of the model format.
struct DivideOperator: ArithmeticOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .div, versions: 1...2, types: .uniform([.float32, .int8, .uint8, .int16, .int32]))
  }

  var activation: FusedActivation

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    activation = try FusedActivation(node, field: DivOptions.fusedActivation)
  }

  enum Operation: ArithmeticOperation {
    static let kernel = BinaryOperation.divide

    /// Returns the quotient. Zero divisors are rejected earlier, so their result only needs to avoid a trap.
    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element {
      left.dividedReportingOverflow(by: right).partialValue
    }
  }

  func prepareQuantized(_ context: PrepareContext, _ type: QuantizedType) throws -> PreparedOperator {
    let left = try context.node.quantization(ofInput: 0, type, isSymmetric: false)
    let right = try context.node.quantization(ofInput: 1, type, isSymmetric: false)
    let output = try context.node.quantization(ofOutput: 0, type, isSymmetric: false)
    let range = OutputRange(output, activation, type)
    let factor = left.scale / (right.scale * output.scale)
    if context.options.numerics == .bitExact {
      let quotient = ExactQuotient(
        multiplier: QuantizedMultiplier(factor), leftZeroPoint: left.zeroPoint, rightZeroPoint: right.zeroPoint,
        range: range)
      return try .binary(context, .quantized(type, quotient), cost: 20)
    }
    let quotient = FastQuotient(
      factor: factor, leftZeroPoint: Float(left.zeroPoint), rightZeroPoint: Float(right.zeroPoint),
      outputZeroPoint: Float(output.zeroPoint), range: range)
    return try .binary(context, .quantized(type, quotient), cost: 0.8)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let divisor = try context.node.input(1)
    let zero = divisor.quantization?.zeroPoints.first ?? 0
    var prepared = try prepareArithmetic(context)
    switch divisor.elementType {
    case .int8: prepared.stages.insert(try divisorCheck(context, Int8.self, zero: zero), at: 0)
    case .uint8: prepared.stages.insert(try divisorCheck(context, UInt8.self, zero: zero), at: 0)
    case .int16: prepared.stages.insert(try divisorCheck(context, Int16.self, zero: zero), at: 0)
    case .int32: prepared.stages.insert(try divisorCheck(context, Int32.self, zero: 0), at: 0)
    default: break
    }
    return prepared
  }

  private func divisorCheck<Quantized: QuantizedValue>(
    _ context: PrepareContext, _ type: Quantized.Type, zero: Int32
  ) throws -> PreparedOperator.Stage {
    try .check(context, input: 1, as: type, "the divisor stands for zero") { Int32($0) != zero }
  }
}

/// The reference's quotient: a 31-bit reciprocal of the divisor, and the dividend shifted left as far as possible.
///
/// If the reference shifts by a negative amount or by more than 31 bits, as for a dividend of zero, its result is
/// undefined. Here, it is the correct result.
private struct ExactQuotient: BinaryFunction {
  let multiplier: QuantizedMultiplier
  let leftZeroPoint: Int32
  let rightZeroPoint: Int32
  let range: OutputRange

  @inline(__always)
  func callAsFunction(_ left: Int32, _ right: Int32) -> Int32 {
    var dividend = left &- leftZeroPoint
    var divisor = right &- rightZeroPoint
    if divisor < 0 {
      dividend = 0 &- dividend
      divisor = 0 &- divisor
    }
    let leading = Int32(truncatingIfNeeded: divisor.leadingZeroBitCount)
    let fraction = Int32(bitPattern: (UInt32(bitPattern: divisor) << UInt32(leading)) &- (1 << 31))
    let reciprocal = FixedPoint.reciprocal(ofOnePlus: fraction)
    let redundant = dividend < 0 ? (~dividend).leadingZeroBitCount : dividend.leadingZeroBitCount
    let headroom = Int32(truncatingIfNeeded: redundant) &- 1
    let quotient = FixedPoint.saturatingRoundingDoublingHighMultiply(dividend << headroom, reciprocal)
    let shift = multiplier.shift &- (31 &- leading) &- headroom
    return range.quantized(QuantizedMultiplier(multiplier: multiplier.multiplier, shift: shift).apply(quotient))
  }
}

private struct FastQuotient: BinaryFunction {
  let factor: Float
  let leftZeroPoint: Float
  let rightZeroPoint: Float
  let outputZeroPoint: Float
  let range: OutputRange

  @inline(__always)
  func callAsFunction(_ left: Int32, _ right: Int32) -> Int32 {
    let quotient = (Float(left) - leftZeroPoint) / (Float(right) - rightZeroPoint)
    return range.quantized(rounding: quotient * factor + outputZeroPoint)
  }
}

/// FLOOR_DIV: the quotient rounded down, with broadcasting. A zero divisor is an error of the run.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, int8, int16, int32, all without quantization.
/// - Source: operator 90 of the model format; floats are divided in double precision.
struct FloorDivideOperator: PlainBinaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .floorDiv, versions: 1...3, types: .uniform([.float32, .int8, .int16, .int32]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: return try prepareIntegers(context, Int8.self)
    case .int16: return try prepareIntegers(context, Int16.self)
    case .int32: return try prepareIntegers(context, Int32.self)
    default:
      let check = try PreparedOperator.Stage.check(
        context, input: 1, as: Float.self, "the divisor must not be zero"
      ) { $0 != 0 }
      return PreparedOperator(stages: [check, try PreparedOperator.Stage(context, FloorQuotient(), cost: 2)])
    }
  }

  private func prepareIntegers<Element: IntegerElement & SignedInteger>(
    _ context: PrepareContext, _ type: Element.Type
  ) throws -> PreparedOperator {
    let check = try PreparedOperator.Stage.check(context, input: 1, as: type, "the divisor must not be zero") {
      $0 != 0
    }
    return PreparedOperator(
      stages: [check, try PreparedOperator.Stage(context, IntegerFloorQuotient<Element>(), cost: 3)])
  }
}

private struct FloorQuotient: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: Float, _ right: Float) -> Float { Float((Double(left) / Double(right)).rounded(.down)) }
}

private struct IntegerFloorQuotient<Element: IntegerElement & SignedInteger>: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: Element, _ right: Element) -> Element {
    let quotient = left.dividedReportingOverflow(by: right).partialValue
    let rest = left &- quotient &* right
    return rest != 0 && (rest < 0) != (right < 0) ? quotient &- 1 : quotient
  }
}

/// FLOOR_MOD: the remainder of a division rounded down, which has the sign of the divisor, with broadcasting. A zero
/// divisor is an error of the run for integers, and results in NaN for floats.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, int8, int16, int32, int64, all without quantization.
/// - Source: operator 95 of the model format.
struct FloorModuloOperator: PlainBinaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .floorMod, versions: 1...2, types: .uniform([.float32, .int8, .int16, .int32, .int64]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: try prepareIntegers(context, Int8.self)
    case .int16: try prepareIntegers(context, Int16.self)
    case .int32: try prepareIntegers(context, Int32.self)
    case .int64: try prepareIntegers(context, Int64.self)
    // The C library takes 10 ns for numbers of similar magnitude, and 300 ns if one is many powers of two larger.
    default: try .binary(context, FloorRest(), cost: 100)
    }
  }

  private func prepareIntegers<Element: IntegerElement & SignedInteger>(
    _ context: PrepareContext, _ type: Element.Type
  ) throws -> PreparedOperator {
    let check = try PreparedOperator.Stage.check(context, input: 1, as: type, "the divisor must not be zero") {
      $0 != 0
    }
    return PreparedOperator(stages: [check, try PreparedOperator.Stage(context, IntegerFloorRest<Element>(), cost: 3)])
  }
}

private struct FloorRest: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: Float, _ right: Float) -> Float {
    let rest = fmodf(left, right)
    return rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest
  }
}

private struct IntegerFloorRest<Element: IntegerElement & SignedInteger>: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: Element, _ right: Element) -> Element {
    let rest = left.remainderReportingOverflow(dividingBy: right).partialValue
    return rest != 0 && (rest < 0) != (right < 0) ? rest &+ right : rest
  }
}
