import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// The RELU family: `min(max(x, lower), upper)`. NaN passes through.
protocol ClampOperator: PlainUnaryOperator {
  static var range: (lower: Float, upper: Float) { get }
}

/// The clamp of one float.
private struct Clamp: FloatFunction {
  let lower: Float
  let upper: Float

  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .clamp, first: lower, second: upper) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float {
    let raised = input < lower ? lower : input
    return raised > upper ? upper : raised
  }
}

extension ClampOperator {
  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try Clamp(lower: Self.range.lower, upper: Self.range.upper).prepare(context)
  }
}

extension Clamp {
  fileprivate func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    guard let type = QuantizedType(try context.node.input(0).elementType) else {
      return try .floatingPoint(context, self, cost: 0.2)
    }
    let input = try context.node.quantization(ofInput: 0, type)
    let output = try context.node.quantization(ofOutput: 0, type)
    let quantized = FusedActivation.quantizedRange(
      of: (lower, upper), scale: output.scale, zeroPoint: output.zeroPoint, in: type.range)
    let range = OutputRange(zeroPoint: output.zeroPoint, quantized)
    let factor = input.scale / output.scale
    if type == .int16, context.options.numerics == .fast {
      let rescaling = FastRequantization<Int16, Int16>(factor, inputZeroPoint: input.zeroPoint, range: range)
      return try .unary(context, rescaling, cost: 0.7)
    }
    let rescaling = Requantization(QuantizedMultiplier(factor), inputZeroPoint: input.zeroPoint, range: range)
    return try .quantized(context, type, rescaling, cost: 3)
  }
}
