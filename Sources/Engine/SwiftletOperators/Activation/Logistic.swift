import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// LOGISTIC: the sigmoid `1 / (1 + exp(-x))`.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32, float16, bfloat16; int8, uint8 quantised; int16 quantised with an output scale of 2⁻¹⁵.
/// - Source: operator 14 of the model format. Float32 in fast numerics equals XNNPACK in every bit on x86-64 with AVX2 or
///   AVX-512, unless a result is below 1e-36: XNNPACK flushes denormals.
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
      return try .unary(context, SigmoidTable.Logistic(scale: scale), cost: 2)
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

/// The sigmoid as the reference has it for float32: where one of the two terms of the denominator is lost in the other, it
/// leaves the lost one out. Quotients differ from that in their last bits below -9.
private struct CutSigmoid: FloatFunction {
  /// Below this the exponential itself, above the other one 1.
  private static let lowerCut: Float = -9
  private static let upperCut: Float = 16.619047164916992188

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float {
    if input > Self.upperCut { return 1 }
    return input < Self.lowerCut ? expf(input) : 1 / (1 + expf(-input))
  }
}
