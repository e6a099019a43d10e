import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// EXP: `exp(x)`.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32; int8, int16 quantised.
/// - Source: operator 47 of the model format.
struct ExponentialOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .exp, versions: 1...2, floatError: 1e-6, types: .uniform([.float32, .int8, .int16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .realOrTable(context, Function(), cost: 0.6)
  }

  private struct Function: FloatFunction {
    var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .exponential) }

    @inline(__always)
    func callAsFunction(_ input: Float) -> Float { expf(input) }
  }
}
