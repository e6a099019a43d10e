import SwiftletEngine
import SwiftletKernels

/// The RELU family: `min(max(x, lower), upper)`. NaN passes through.
protocol ClampOperator: PlainUnaryOperator {
  static var range: (lower: Float, upper: Float) { get }
}

/// The clamp of one float.
private struct Clamp: RealFunction {
  let lower: Float
  let upper: Float

  var kernel: RealKernel? { RealKernel(operation: .clamp, first: lower, second: upper) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float {
    let raised = input < lower ? lower : input
    return raised > upper ? upper : raised
  }
}

extension ClampOperator {
  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: try prepareQuantized(context, Int8.self)
    case .uint8: try prepareQuantized(context, UInt8.self)
    case .int16: try prepareQuantized(context, Int16.self)
    default: try .real(context, Clamp(lower: Self.range.lower, upper: Self.range.upper), cost: 0.2)
    }
  }

  private func prepareQuantized<Code: QuantizedCode>(
    _ context: PrepareContext, _ type: Code.Type
  ) throws -> PreparedOperator {
    let input = try context.node.quantization(ofInput: 0, type)
    let output = try context.node.quantization(ofOutput: 0, type)
    let codes = FusedActivation.quantizedRange(
      of: Self.range, scale: output.scale, zeroPoint: output.zeroPoint, in: Code.range)
    let range = OutputRange(zeroPoint: output.zeroPoint, codes)
    let factor = input.scale / output.scale
    if Code.bitWidth > 8, context.options.numerics == .fast {
      let rescaling = FastRequantization<Code, Code>(factor, inputZeroPoint: input.zeroPoint, range: range)
      return try .unary(context, rescaling, cost: 0.7)
    }
    let rescaling = Requantization<Code, Code>(
      QuantizedMultiplier(factor), inputZeroPoint: input.zeroPoint, range: range)
    return try .codes(context, rescaling, cost: 3)
  }
}
