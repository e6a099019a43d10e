import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// FLOOR: the largest whole number that is not above `x`.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32, float16, bfloat16.
/// - Source: operator 8 of the model format.
struct FloorOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.floor, versions: 1...1, types: .uniform([.float32, .float16, .bfloat16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .floatingPoint(context, Function(), cost: 0.2)
  }

  private struct Function: FloatFunction {
    var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .floor) }

    @inline(__always)
    func callAsFunction(_ input: Float) -> Float { input.wholeBelow }
  }
}
