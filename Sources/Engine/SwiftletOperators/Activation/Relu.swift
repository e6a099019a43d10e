import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// The RELU family: `min(max(x, lower), upper)`. NaN passes through.
protocol ClampOperator: PlainUnaryOperator {
  static var range: (lower: Float, upper: Float) { get }
}

/// The clamp of a single float.
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

/// RELU: `max(x, 0)`.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32; int8, uint8, int16 quantized, also with a different output scale.
/// - Source: operator 19 of the model format.
struct ReluOperator: ClampOperator, ActivationOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.relu, versions: 1...3, types: .uniform([.float32, .int8, .uint8, .int16]))
  }
  static let range: (lower: Float, upper: Float) = (0, .infinity)

  var fusedActivation: FusedActivation? { .relu }
}

/// RELU_0_TO_1: `min(max(x, 0), 1)`.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32; int8, uint8 quantized, also with a different output scale.
/// - Source: operator 152 of the model format.
struct Relu0To1Operator: ClampOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.relu0To1, versions: 1...1, types: .uniform([.float32, .int8, .uint8]))
  }
  static let range: (lower: Float, upper: Float) = (0, 1)
}

/// RELU6: `min(max(x, 0), 6)`.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32; int8, uint8, int16 quantized, also with a different output scale.
/// - Source: operator 21 of the model format.
struct Relu6Operator: ClampOperator, ActivationOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.relu6, versions: 1...3, types: .uniform([.float32, .int8, .uint8, .int16]))
  }
  static let range: (lower: Float, upper: Float) = (0, 6)

  var fusedActivation: FusedActivation? { .relu6 }
}

/// RELU_N1_TO_1: `min(max(x, -1), 1)`.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32; int8, uint8 quantized, also with a different output scale.
/// - Source: operator 20 of the model format.
struct ReluN1To1Operator: ClampOperator, ActivationOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.reluN1To1, versions: 1...1, types: .uniform([.float32, .int8, .uint8]))
  }
  static let range: (lower: Float, upper: Float) = (-1, 1)

  var fusedActivation: FusedActivation? { .reluN1To1 }
}
