import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// FLOOR_MOD: what is left of a division rounded down; it has the divisor's sign. Broadcasting. A zero divisor among
/// integers is an error of the run, among floats it gives NaN.
///
/// - Shapes: two tensors that broadcast to one shape, which is the output's.
/// - Types: float32, int8, int16, int32, int64, all as plain numbers.
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
    // The C library takes 10 for numbers of like size and 300 for one that is many powers of two larger than the other.
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
