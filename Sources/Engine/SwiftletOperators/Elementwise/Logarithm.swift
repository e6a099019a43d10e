import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// LOG: the natural logarithm. In quantised tensors, numbers that have none give the smallest output.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32; int8, int16 quantised.
/// - Source: operator 73 of the model format.
struct LogarithmOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .log, versions: 1...2, floatError: 1e-6, types: .uniform([.float32, .int8, .int16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: try .realOrTable(context, try boundedLogarithm(context, Int8.self), cost: 0)
    case .int16: try .realOrTable(context, try boundedLogarithm(context, Int16.self), cost: 0)
    default: try .floatingPoint(context, Logarithm(), cost: 1)
    }
  }

  private func boundedLogarithm<Quantized: QuantizedValue>(
    _ context: PrepareContext, _ type: Quantized.Type
  ) throws -> BoundedLogarithm {
    let output = try context.node.quantization(ofOutput: 0, type)
    return BoundedLogarithm(lowest: Float(Int32(Quantized.min) - output.zeroPoint) * output.scale)
  }
}

private struct Logarithm: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .logarithm) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { logf(input) }
}

private struct BoundedLogarithm: FloatFunction {
  let lowest: Float

  func callAsFunction(_ input: Float) -> Float { input <= 0 ? lowest : logf(input) }
}
