import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// LOGISTIC: the sigmoid `1 / (1 + exp(-x))`.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32, float16, bfloat16; int8, uint8 quantized; int16 quantized with an output scale of 2⁻¹⁵.
/// - Source: operator 14 of the model format. In fast numerics, float32 results are bit-exact with XNNPACK on x86-64
///   with AVX2 or AVX-512, unless a result is below 1e-36, because XNNPACK flushes denormals.
struct LogisticOperator: PlainUnaryOperator, EpilogueOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .logistic, versions: 1...3, floatError: 1e-6,
      types: .uniform([.float32, .float16, .bfloat16, .int8, .uint8, .int16]))
  }

  func epilogueStep(_ node: NodeView, ofInput index: Int) -> EpilogueStep? {
    .unary(UnaryFloatKernel(operation: .logistic))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int16:
      let scale = try context.sigmoidInputScale(powerShifts: 0...0)
      return try SigmoidTable.prepare(context, SigmoidTable.logistic(scale))
    case .float32 where context.options.numerics == .bitExact:
      return try .floatingPoint(context, CutSigmoid(), cost: 0.8)
    default: return try .realOrTable(context, Sigmoid(), cost: 0.8)
    }
  }
}

private struct Sigmoid: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .logistic) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { 1 / (1 + expf(-input)) }
}

/// The reference's float32 sigmoid. If one of the two terms of the denominator is negligible, the reference omits it.
/// Below -9, the last bits differ from the quotient.
private struct CutSigmoid: FloatFunction {
  /// The bound below which the result is the exponential. Above the other bound, the result is 1.
  private static let lowerCut: Float = -9
  private static let upperCut: Float = 16.619047164916992188

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float {
    if input > Self.upperCut { return 1 }
    return input < Self.lowerCut ? expf(input) : 1 / (1 + expf(-input))
  }
}

/// `x · logistic(x)`.
///
/// The model format has no such operator: it takes the place of the two operators that converters write.
struct SwishOperator: PlainUnaryOperator, EpilogueOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.custom("Swish"), versions: 1...1, floatError: 1e-6, types: .uniform([.float32]))
  }

  func epilogueStep(_ node: NodeView, ofInput index: Int) -> EpilogueStep? {
    .unary(UnaryFloatKernel(operation: .swish))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .floatingPoint(context, Swish(), cost: 0.9)
  }
}

private struct Swish: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .swish) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { input / (1 + expf(-input)) }
}

/// TANH: the hyperbolic tangent.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32, float16, bfloat16; int8, uint8 quantized; int16 quantized with an output scale of 2⁻¹⁵.
/// - Source: operator 28 of the model format.
struct TanhOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .tanh, versions: 1...3, floatError: 1e-6, types: .uniform([.float32, .float16, .bfloat16, .int8, .uint8, .int16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    if try context.node.input(0).elementType == .int16 {
      let scale = try context.sigmoidInputScale(powerShifts: 0...1)
      return try SigmoidTable.prepare(context, SigmoidTable.tangent(scale))
    }
    return try .realOrTable(context, HyperbolicTangent(), cost: 1)
  }
}

private struct HyperbolicTangent: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .hyperbolicTangent) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { tanhf(input) }
}

/// ELU: `x` for positive `x`, `exp(x) - 1` otherwise.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32; int8 quantized.
/// - Source: operator 111 of the model format.
struct EluOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.elu, versions: 1...1, floatError: 1e-6, types: .uniform([.float32, .int8]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .realOrTable(context, ExponentialLinear(), cost: 0.8)
  }
}

private struct ExponentialLinear: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .elu) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { input < 0 ? expm1f(input) : input }
}

/// GELU: `x` times the cumulative normal distribution at `x`, or its approximation with a hyperbolic tangent.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32, float16; int8, uint8, int16 quantized.
/// - Source: operator 150 of the model format.
struct GeluOperator: UnaryOperator, EpilogueOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .gelu, versions: 1...3, floatError: 1e-6, types: .uniform([.float32, .float16, .int8, .uint8, .int16]))
  }

  private let isApproximate: Bool

  init(isApproximate: Bool) { self.isApproximate = isApproximate }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    isApproximate = try node.options[GeluOptions.approximate]
  }

  func epilogueStep(_ node: NodeView, ofInput index: Int) -> EpilogueStep? {
    .unary(UnaryFloatKernel(operation: isApproximate ? .geluByTangent : .gelu))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    isApproximate
      ? try .realOrTable(context, ApproximateGelu(), cost: 1.2) : try .realOrTable(context, ExactGelu(), cost: 1.2)
  }
}

private struct ExactGelu: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .gelu) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float {
    0.5 * input * erfcf(input * -Float(0.5).squareRoot())
  }
}

private struct ApproximateGelu: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .geluByTangent) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float {
    let inner = 0.7978845608 * (input + 0.044715 * input * input * input)
    return 0.5 * input * (1 + tanhf(inner))
  }
}
