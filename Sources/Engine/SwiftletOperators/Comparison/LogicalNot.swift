import SwiftletEngine
import SwiftletSchema

/// LOGICAL_NOT: whether the input is false.
///
/// - Shapes: any; the output has the input's.
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
