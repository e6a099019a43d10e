import SwiftletEngine
import SwiftletSchema

/// FLOOR_DIV: the quotient rounded down, broadcasting. A zero divisor is an error of the run.
///
/// - Shapes: two tensors that broadcast to one shape, which is the output's.
/// - Types: float32, int8, int16, int32, all as plain numbers.
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
