import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// ABS: the magnitude.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32, int32, int16 without quantization; int8, int16 quantized, also with a different output scale.
/// - Source: operator 101 of the model format. The smallest int16 and int32 have no positive counterpart and are
///   unchanged.
struct AbsoluteOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.abs, versions: 1...5, types: .uniform([.float32, .int8, .int16, .int32]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(0)
    switch input.elementType {
    case .int8: return try prepareQuantized(context, .int8)
    case .int16 where input.quantization == nil: return try .unary(context, IntegerMagnitude<Int16>(), cost: 0.3)
    case .int16: return try prepareQuantized(context, .int16)
    case .int32: return try .unary(context, IntegerMagnitude<Int32>(), cost: 0.3)
    default: return try .floatingPoint(context, Magnitude(), cost: 0.25)
    }
  }

  private func prepareQuantized(_ context: PrepareContext, _ type: QuantizedType) throws -> PreparedOperator {
    let input = try context.node.quantization(ofInput: 0, type)
    let output = try context.node.quantization(ofOutput: 0, type)
    let function = QuantizedMagnitude(
      multiplier: QuantizedMultiplier(input.scale / output.scale), inputZeroPoint: input.zeroPoint,
      range: OutputRange(output, type))
    return try .quantized(context, type, function, cost: 3)
  }
}

private struct Magnitude: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .absolute) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { input.magnitude }
}

private struct IntegerMagnitude<Element: FixedWidthInteger & SignedInteger & BitwiseCopyable & Sendable>: UnaryFunction
{
  @inline(__always)
  func callAsFunction(_ input: Element) -> Element { input < 0 ? 0 &- input : input }
}

private struct QuantizedMagnitude: UnaryFunction {
  let multiplier: QuantizedMultiplier
  let inputZeroPoint: Int32
  let range: OutputRange

  @inline(__always)
  func callAsFunction(_ input: Int32) -> Int32 {
    let value = input &- inputZeroPoint
    return range.quantized(multiplier.apply(value < 0 ? 0 &- value : value))
  }
}

/// NEG: `-x`.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32, float16, bfloat16, int8, int16, int32, int64. In quantized tensors, the quantized values are
///   negated, regardless of the zero point.
/// - Source: operator 59 of the model format. The smallest integer is unchanged.
struct NegateOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .neg, versions: 1...1,
      types: .uniform([.float32, .float16, .bfloat16, .int8, .int16, .int32, .int64]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: try .unary(context, IntegerNegation<Int8>(), cost: 0.1)
    case .int16: try .unary(context, IntegerNegation<Int16>(), cost: 0.15)
    case .int32: try .unary(context, IntegerNegation<Int32>(), cost: 0.25)
    case .int64: try .unary(context, IntegerNegation<Int64>(), cost: 0.5)
    default: try .floatingPoint(context, Negation(), cost: 0.25)
    }
  }
}

private struct Negation: FloatFunction {
  var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .negate) }

  @inline(__always)
  func callAsFunction(_ input: Float) -> Float { -input }
}

private struct IntegerNegation<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: Element) -> Element { 0 &- input }
}

/// ZEROS_LIKE: zeros in the shape of the input.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32, int32, int64.
/// - Source: operator 93 of the model format.
struct ZerosLikeOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.zerosLike, versions: 1...1, types: .uniform([.float32, .int32, .int64]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let output = try context.node.output(0)
    guard let bytes = output.byteCount else { throw context.node.invalid("does not support \(output)") }
    let destination = try context.outputSlot(0)
    return PreparedOperator(items: bytes, cost: 0.05) { run, range in
      (run.pointer(destination) + range.lowerBound).initializeMemory(as: UInt8.self, repeating: 0, count: range.count)
    }
  }
}
