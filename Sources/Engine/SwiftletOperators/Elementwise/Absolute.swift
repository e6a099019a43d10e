import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// ABS: the magnitude.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32, int32, int16 without quantisation; int8, int16 quantised, also with another scale in the output.
/// - Source: operator 101 of the model format. The smallest int16 and int32 have no magnitude and stay as they are.
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
