import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// CEIL: the smallest whole number that is not below `x`.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32.
/// - Source: operator 104 of the model format.
struct CeilOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.ceil, versions: 1...1, types: .uniform([.float32]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .floatingPoint(context, Function(), cost: 0.2)
  }

  private struct Function: FloatFunction {
    var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .ceiling) }

    @inline(__always)
    func callAsFunction(_ input: Float) -> Float { input.wholeAbove }
  }
}
