import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// TANH: the hyperbolic tangent.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32, float16, bfloat16; int8, uint8 quantised; int16 quantised with an output scale of 2⁻¹⁵.
/// - Source: operator 28 of the model format.
struct TanhOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .tanh, versions: 1...3, floatError: 1e-6, types: .uniform([.float32, .float16, .bfloat16, .int8, .uint8, .int16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    if try context.node.input(0).elementType == .int16 {
      let scale = try context.sigmoidInputScale(powerShifts: 0...1)
      return try .unary(context, SigmoidTable.Tangent(scale: scale), cost: 2)
    }
    return try .realOrTable(context, HyperbolicTangent(), cost: 1)
  }
}

private struct HyperbolicTangent: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .hyperbolicTangent) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { tanhf(input) }
}
