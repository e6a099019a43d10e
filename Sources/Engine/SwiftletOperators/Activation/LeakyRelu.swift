import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// LEAKY_RELU: `x` for positive `x`, `alpha × x` otherwise.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32; int8, uint8, int16 quantized, also with a different output scale.
/// - Source: operator 98 of the model format.
struct LeakyReluOperator: UnaryOperator, EpilogueOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .leakyRelu, versions: 1...2, types: .uniform([.float32, .int8, .uint8, .int16]))
  }

  private let alpha: Float

  init(alpha: Float) { self.alpha = alpha }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    alpha = try node.options[LeakyReluOptions.alpha]
  }

  func epilogueStep(_ node: NodeView, ofInput index: Int) -> EpilogueStep? {
    .unary(UnaryFloatKernel(operation: .leakyRelu, first: alpha))
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
      // The reference multiplies by the magnitude and then applies the sign.
      negative: QuantizedMultiplier(abs(input.scale * alpha / output.scale)), sign: alpha < 0 ? -1 : 1,
      inputZeroPoint: input.zeroPoint, range: OutputRange(output, type))
    guard type == .int16, let parameters = function.int16Parameters else {
      return try .quantized(context, type, function, cost: 3)
    }
    let kernels = context.kernels.elementwise
    context.uses("vector function int16")
    return try .unary(context, inputBytes: 2, resultBytes: 2, cost: 0.3) { input, output, count in
      kernels.leakyReluInt16(parameters, count: count, input: input, output: output)
    }
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

  /// The parameters of the kernel, which doesn't shift out all bits.
  var int16Parameters: Int16LeakyReluParameters? {
    guard max(positive.shift, negative.shift) <= 31 else { return nil }
    return Int16LeakyReluParameters(
      inputZeroPoint: inputZeroPoint, positive: positive, negative: negative, negates: sign < 0,
      zeroPoint: range.zeroPoint, lower: range.lower, upper: range.upper)
  }

  @inline(__always)
  func callAsFunction(_ input: Int32) -> Int32 {
    let value = input &- inputZeroPoint
    return range.quantized(value >= 0 ? positive.apply(value) : sign &* negative.apply(value))
  }
}

/// PRELU: `x` for positive `x`, `alpha × x` otherwise, with one alpha per channel or element.
///
/// - Shapes: any input; alpha broadcasts to its shape, which is the output shape.
/// - Types: float32; int8, uint8 quantized; int16 quantized with int8 alpha.
/// - Source: operator 54 of the model format.
struct PReluOperator: EpilogueOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .prelu, versions: 1...1, types: .uniform([.float32, .int8, .uint8]) + .one(.int16, .int8, to: .int16))
  }

  init() {}

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let shape = try node.broadcastShape()
    guard try node.input(0).shape == shape else {
      throw node.invalid("alpha \(try node.input(1)) does not broadcast to the shape of input \(try node.input(0))")
    }
    return [shape]
  }

  func epilogueStep(_ node: NodeView, ofInput index: Int) throws -> EpilogueStep? {
    index == 0 ? try node.epilogueStep(.parametricRelu, ofInput: 0, allowsVector: true) : nil
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: return try prepareQuantized(context, .int8, alpha: .int8)
    case .uint8: return try prepareQuantized(context, .uint8, alpha: .uint8)
    case .int16: return try prepareQuantized(context, .int16, alpha: .int8)
    default:
      context.uses("vector arithmetic float32")
      return try .binary(context, FloatKernel(context, .parametricRelu), cost: 0.2)
    }
  }

  private func prepareQuantized(
    _ context: PrepareContext, _ type: QuantizedType, alpha alphaType: QuantizedType
  ) throws -> PreparedOperator {
    let input = try context.node.quantization(ofInput: 0, type)
    let alpha = try context.node.quantization(ofInput: 1, alphaType)
    let output = try context.node.quantization(ofOutput: 0, type)
    let range = OutputRange(output, type)
    let positive = input.scale / output.scale
    let negative = input.scale * alpha.scale / output.scale
    if context.options.numerics == .bitExact {
      let kernel = ExactPRelu(
        positive: QuantizedMultiplier(positive), negative: QuantizedMultiplier(negative),
        inputZeroPoint: input.zeroPoint, alphaZeroPoint: alpha.zeroPoint, range: range)
      return try .binary(context, .quantized(type, right: alphaType, kernel), cost: 4)
    }
    if type == alphaType {
      let kernel = ByteKernel(
        context, type, .parametricRelu(factor: positive, slopeFactor: negative), leftZeroPoint: input.zeroPoint,
        rightZeroPoint: alpha.zeroPoint, range: range)
      return try .binary(context, kernel, cost: 0.15)
    }
    let kernel = Int16Kernel(
      context, .parametricRelu, Float(input.zeroPoint), Float(alpha.zeroPoint), positive, negative,
      Float(output.zeroPoint), range: range)
    return try .binary(context, kernel, cost: 0.15)
  }
}

private struct ExactPRelu: BinaryFunction {
  let positive: QuantizedMultiplier
  let negative: QuantizedMultiplier
  let inputZeroPoint: Int32
  let alphaZeroPoint: Int32
  let range: OutputRange

  @inline(__always)
  func callAsFunction(_ input: Int32, _ alpha: Int32) -> Int32 {
    let value = input &- inputZeroPoint
    return range.quantized(value >= 0 ? positive.apply(value) : negative.apply(value &* (alpha &- alphaZeroPoint)))
  }
}
