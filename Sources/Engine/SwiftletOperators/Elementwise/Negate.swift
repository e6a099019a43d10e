import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// NEG: `-x`.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32, float16, bfloat16, int8, int16, int32, int64. Quantised tensors have their quantised values
///   negated, whatever the zero point says.
/// - Source: operator 59 of the model format. The smallest integer stays as it is.
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
