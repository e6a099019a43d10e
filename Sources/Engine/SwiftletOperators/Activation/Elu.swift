import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// ELU: `x` for positive `x`, `exp(x) - 1` for the others.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32; int8 quantised.
/// - Source: operator 111 of the model format.
struct EluOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.elu, versions: 1...1, floatError: 1e-6, types: .uniform([.float32, .int8]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .realOrTable(context, ExponentialLinear(), cost: 0.8)
  }
}

private struct ExponentialLinear: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .elu) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { input < 0 ? expm1f(input) : input }
}
