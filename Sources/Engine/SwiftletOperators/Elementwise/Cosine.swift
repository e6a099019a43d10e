import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// COS: the cosine of an angle in radians.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32, float16.
/// - Source: operator 108 of the model format.
struct CosineOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .cos, versions: 1...2, floatError: 1e-6, types: .uniform([.float32, .float16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .floatingPoint(context, Function(), cost: 8)
  }

  private struct Function: FloatFunction {
    @inline(__always)
    func callAsFunction(_ input: Float) -> Float { cosf(input) }
  }
}
