import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// SQRT: the square root.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32; int8, int16 quantised, where negative input is an error of the run.
/// - Source: operator 75 of the model format. Quantised results are cut off, not rounded. Float32 in fast numerics equals
///   XNNPACK in every bit on x86-64, which does not round correctly.
struct SquareRootOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.sqrt, versions: 1...2, floatError: 1e-6, types: .uniform([.float32, .int8, .int16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: try prepareQuantized(context, Int8.self)
    case .int16: try prepareQuantized(context, Int16.self)
    default: try .floatingPoint(context, SquareRoot(), cost: 0.4)
    }
  }

  private func prepareQuantized<Quantized: QuantizedValue>(
    _ context: PrepareContext, _ type: Quantized.Type
  ) throws -> PreparedOperator {
    let input = try context.node.quantization(ofInput: 0, type, isSymmetric: false)
    let output = try context.node.quantization(ofOutput: 0, type, isSymmetric: false)
    let root = QuantizedSquareRoot<Quantized>(input: input, output: output)
    return try .nonNegativeQuantized(context, root, zeroPoint: input.zeroPoint, cost: 4)
  }
}

private struct SquareRoot: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .squareRoot) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { input.squareRoot() }
}

private struct QuantizedSquareRoot<Quantized: QuantizedValue>: UnaryFunction {
  let input: TensorQuantization
  let output: TensorQuantization

  func callAsFunction(_ quantized: Quantized) -> Quantized {
    let real = max(0, input.scale * Float(Int32(quantized) &- input.zeroPoint))
    let steps = Int32(saturating: real.squareRoot() / output.scale)
    return Quantized(clamping: Int64(steps) + Int64(output.zeroPoint))
  }
}
