import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// ROUND: the nearest whole number, ties to the even one.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32, float16, bfloat16.
/// - Source: operator 116 of the model format.
struct RoundOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.round, versions: 1...1, types: .uniform([.float32, .float16, .bfloat16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .floatingPoint(context, Function(), cost: 0.2)
  }

  private struct Function: FloatFunction {
    var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .roundToEven) }

    @inline(__always)
    func callAsFunction(_ input: Float) -> Float { input.nearestWhole }
  }
}
