import SwiftletEngine
import SwiftletSchema

/// SIGN: 1, -1, or 0 for zero; NaN for NaN.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32, float64, int32.
/// - Source: operator 158 of the model format.
struct SignOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.sign, versions: 1...2, types: .uniform([.float32, .float64, .int32]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .float64: try .unary(context, FloatSign<Double>(), cost: 0.6)
    case .int32: try .unary(context, IntegerSign(), cost: 0.4)
    default: try .unary(context, FloatSign<Float>(), cost: 0.4)
    }
  }
}

private struct FloatSign<Element: BinaryFloatingPoint & BitwiseCopyable & Sendable>: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: Element) -> Element { input > 0 ? 1 : input < 0 ? -1 : input == 0 ? 0 : input }
}

private struct IntegerSign: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: Int32) -> Int32 { input.signum() }
}
