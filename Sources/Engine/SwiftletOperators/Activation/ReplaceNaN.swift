import SwiftletEngine
import SwiftletSchema

/// `x`, or 0 for NaN, as `MAX(x, 0)` and `MIN(x, 0)` do.
///
/// The model format has no such operator: it replaces a part of the operators that converters write for PRELU.
struct ReplaceNaNOperator: PlainUnaryOperator, EpilogueOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.custom("ReplaceNaN"), versions: 1...1, types: .uniform([.float32]))
  }

  func epilogueStep(_ node: NodeView, ofInput index: Int) -> EpilogueStep? { .replaceNaN }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .unary(context, NumberOrZero(), cost: 0.25)
  }
}

private struct NumberOrZero: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { input == input ? input : 0 }
}
