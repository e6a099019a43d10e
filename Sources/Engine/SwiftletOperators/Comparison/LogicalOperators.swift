import SwiftletEngine
import SwiftletSchema

/// LOGICAL_AND: whether both elements are true, with broadcasting.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: bool.
/// - Source: operator 86 of the model format.
struct LogicalAndOperator: PlainBinaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.logicalAnd, versions: 1...1, types: .uniform([.bool]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try .binary(context, Function(), cost: 0.2) }

  private struct Function: BinaryFunction {
    @inline(__always)
    func callAsFunction(_ left: TruthValue, _ right: TruthValue) -> TruthValue { min(left, right, 1) }
  }
}

/// LOGICAL_NOT: whether the input is false.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: bool.
/// - Source: operator 87 of the model format.
struct LogicalNotOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.logicalNot, versions: 1...1, types: .uniform([.bool]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try .unary(context, Function(), cost: 0.2) }

  private struct Function: UnaryFunction {
    @inline(__always)
    func callAsFunction(_ input: TruthValue) -> TruthValue { input == 0 ? 1 : 0 }
  }
}

/// LOGICAL_OR: whether at least one element is true, with broadcasting.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: bool.
/// - Source: operator 84 of the model format.
struct LogicalOrOperator: PlainBinaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.logicalOr, versions: 1...1, types: .uniform([.bool]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try .binary(context, Function(), cost: 0.2) }

  private struct Function: BinaryFunction {
    @inline(__always)
    func callAsFunction(_ left: TruthValue, _ right: TruthValue) -> TruthValue { min(left | right, 1) }
  }
}
