import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// GELU: `x` times the share of a normal distribution below `x`, or its approximation by a hyperbolic tangent.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32, float16; int8, uint8, int16 quantised.
/// - Source: operator 150 of the model format.
struct GeluOperator: UnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .gelu, versions: 1...3, floatError: 1e-6, types: .uniform([.float32, .float16, .int8, .uint8, .int16]))
  }

  private let isApproximate: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    isApproximate = try node.options[GeluOptions.approximate]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    isApproximate
      ? try .realOrTable(context, ApproximateGelu(), cost: 1.2) : try .realOrTable(context, ExactGelu(), cost: 1.2)
  }
}

private struct ExactGelu: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .gelu) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float {
    0.5 * input * erfcf(input * -Float(0.5).squareRoot())
  }
}

private struct ApproximateGelu: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .geluByTangent) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float {
    let inner = 0.7978845608 * (input + 0.044715 * input * input * input)
    return 0.5 * input * (1 + tanhf(inner))
  }
}
