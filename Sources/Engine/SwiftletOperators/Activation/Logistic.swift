import SwiftletCLibrary
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// LOGISTIC: the sigmoid `1 / (1 + exp(-x))`.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32, float16, bfloat16; int8, uint8 quantised; int16 quantised with an output scale of 2⁻¹⁵.
/// - Source: operator 14 of the model format.
struct LogisticOperator: PlainUnaryOperator, EpilogueOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .logistic, versions: 1...3, floatError: 1e-6,
      types: .uniform([.float32, .float16, .bfloat16, .int8, .uint8, .int16]))
  }

  func epilogueStep(_ node: NodeView, ofInput index: Int) -> EpilogueStep? {
    .unary(UnaryFloatKernel(operation: .logistic))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    if try context.node.input(0).elementType == .int16 {
      let scale = try context.sigmoidInputScale(powerShifts: 0...0)
      return try .unary(context, SigmoidTable.Logistic(scale: scale), cost: 2)
    }
    return try .realOrTable(context, Sigmoid(), cost: 0.8)
  }
}

private struct Sigmoid: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .logistic) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { 1 / (1 + expf(-input)) }
}
