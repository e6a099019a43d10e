import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// SQRT: the square root.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32; int8, int16 quantised, where negative input is an error of the run.
/// - Source: operator 75 of the model format. Quantised results are cut off, not rounded.
struct SquareRootOperator: PlainUnaryOperator {
  static let identity = OperatorIdentity(.sqrt, versions: 1...2, types: .uniform([.float32, .int8, .int16]))

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: try prepareQuantized(context, Int8.self)
    case .int16: try prepareQuantized(context, Int16.self)
    default: try .real(context, SquareRoot(), cost: 0.4)
    }
  }

  private func prepareQuantized<Code: QuantizedCode>(
    _ context: PrepareContext, _ type: Code.Type
  ) throws -> PreparedOperator {
    let input = try context.node.quantization(ofInput: 0, type, isSymmetric: false)
    let output = try context.node.quantization(ofOutput: 0, type, isSymmetric: false)
    let root = QuantizedSquareRoot<Code>(input: input, output: output)
    return try .nonNegativeCodes(context, root, zeroPoint: input.zeroPoint, cost: 4)
  }
}

private struct SquareRoot: RealFunction {
  var kernel: RealKernel? { RealKernel(operation: .squareRoot) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { input.squareRoot() }
}

private struct QuantizedSquareRoot<Code: QuantizedCode>: UnaryFunction {
  let input: TensorQuantization
  let output: TensorQuantization

  func callAsFunction(_ code: Code) -> Code {
    let real = max(0, input.scale * Float(Int32(code) &- input.zeroPoint))
    let steps = Int32(saturating: real.squareRoot() / output.scale)
    return Code(clamping: Int64(steps) + Int64(output.zeroPoint))
  }
}
