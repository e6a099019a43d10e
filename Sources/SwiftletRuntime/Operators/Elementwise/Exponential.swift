import SwiftletSchema

/// EXP: `exp(x)`.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32; int8, int16 quantised.
/// - Source: operator 47 of the model format.
struct ExponentialOperator: PlainUnaryOperator {
  static let identity = OperatorIdentity(.exp, versions: 1...2, types: .uniform([.float32, .int8, .int16]))

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try .realOrTable(context, Function(), cost: 5) }

  private struct Function: RealFunction {
    @inline(__always)
    func callAsFunction(_ input: Float) -> Float { MathLibrary.exponential(input) }
  }
}
