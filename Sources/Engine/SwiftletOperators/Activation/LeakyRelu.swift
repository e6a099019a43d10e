import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// LEAKY_RELU: `x` for positive `x`, `alpha × x` for the others.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32; int8, uint8, int16 quantised, also with another scale in the output.
/// - Source: operator 98 of the model format.
struct LeakyReluOperator: UnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .leakyRelu, versions: 1...2, types: .uniform([.float32, .int8, .uint8, .int16]))
  }

  private let alpha: Float

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    alpha = try node.options[LeakyReluOptions.alpha]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    guard let type = QuantizedType(try context.node.input(0).elementType) else {
      return try .floatingPoint(context, LeakyRelu(alpha: alpha), cost: 0.2)
    }
    return try prepareQuantized(context, type)
  }

  private func prepareQuantized(_ context: PrepareContext, _ type: QuantizedType) throws -> PreparedOperator {
    let input = try context.node.quantization(ofInput: 0, type)
    let output = try context.node.quantization(ofOutput: 0, type)
    let function = QuantizedLeakyRelu(
      positive: QuantizedMultiplier(input.scale / output.scale),
      // The reference multiplies with the magnitude and gives the product the sign.
      negative: QuantizedMultiplier(abs(input.scale * alpha / output.scale)), sign: alpha < 0 ? -1 : 1,
      inputZeroPoint: input.zeroPoint, range: OutputRange(output, type))
    return try .quantized(context, type, function, cost: 3)
  }
}

private struct LeakyRelu: FloatFunction {
  let alpha: Float

  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .leakyRelu, first: alpha) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { input > 0 ? input : input * alpha }
}

private struct QuantizedLeakyRelu: UnaryFunction {
  let positive: QuantizedMultiplier
  let negative: QuantizedMultiplier
  let sign: Int32
  let inputZeroPoint: Int32
  let range: OutputRange

  @inline(__always)
  func callAsFunction(_ input: Int32) -> Int32 {
    let value = input &- inputZeroPoint
    return range.quantized(value >= 0 ? positive.apply(value) : sign &* negative.apply(value))
  }
}
