import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// EXP: `exp(x)`.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32; int8, int16 quantized.
/// - Source: operator 47 of the model format.
struct ExponentialOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .exp, versions: 1...2, floatError: 1e-6, types: .uniform([.float32, .int8, .int16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .realOrTable(context, Function(), cost: 0.6)
  }

  private struct Function: FloatFunction {
    var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .exponential) }

    @inline(__always)
    func callAsFunction(_ input: Float) -> Float { expf(input) }
  }
}

/// LOG: the natural logarithm. In quantized tensors, numbers without a logarithm result in the smallest output.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32; int8, int16 quantized.
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

/// SIN: the sine of an angle in radians.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32, float16.
/// - Source: operator 66 of the model format.
struct SineOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .sin, versions: 1...2, floatError: 1e-6, types: .uniform([.float32, .float16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .floatingPoint(context, Function(), cost: 8)
  }

  private struct Function: FloatFunction {
    @inline(__always)
    func callAsFunction(_ input: Float) -> Float { sinf(input) }
  }
}

/// COS: the cosine of an angle in radians.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32, float16.
/// - Source: operator 108 of the model format.
struct CosineOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .cos, versions: 1...2, floatError: 1e-6, types: .uniform([.float32, .float16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .floatingPoint(context, Function(), cost: 8)
  }

  private struct Function: FloatFunction {
    @inline(__always)
    func callAsFunction(_ input: Float) -> Float { cosf(input) }
  }
}

/// ATAN2: the angle of the point (`right`, `left`) in radians, from -π to π, with broadcasting.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, float64, float16, bfloat16.
/// - Source: operator 156 of the model format.
struct ArcTangent2Operator: PlainBinaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .atan2, versions: 1...1, floatError: 1e-6, types: .uniform([.float32, .float64, .float16, .bfloat16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .float64: try .binary(context, DoubleAngle(), cost: 25)
    case .float16: try .binary(context, .sixteenBitFloats(Half.self, Angle()), cost: 20)
    case .bfloat16: try .binary(context, .sixteenBitFloats(BFloat16.self, Angle()), cost: 20)
    default: try .binary(context, Angle(), cost: 15)
    }
  }
}

private struct Angle: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: Float, _ right: Float) -> Float { atan2f(left, right) }
}

private struct DoubleAngle: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: Double, _ right: Double) -> Double { atan2(left, right) }
}
