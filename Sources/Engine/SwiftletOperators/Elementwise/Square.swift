import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// SQUARE: `x × x`.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32.
/// - Source: operator 92 of the model format.
struct SquareOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.square, versions: 1...1, types: .uniform([.float32]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .floatingPoint(context, Function(), cost: 0.25)
  }

  private struct Function: FloatFunction {
    var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .square) }

    @inline(__always)
    func callAsFunction(_ input: Float) -> Float { input * input }
  }
}
