import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// CEIL: the smallest integer that isn't below `x`.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32.
/// - Source: operator 104 of the model format.
struct CeilOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.ceil, versions: 1...1, types: .uniform([.float32]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .floatingPoint(context, Function(), cost: 0.2)
  }

  private struct Function: FloatFunction {
    var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .ceiling) }

    @inline(__always)
    func callAsFunction(_ input: Float) -> Float { input.wholeAbove }
  }
}

/// FLOOR: the largest integer that isn't above `x`.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32, float16, bfloat16.
/// - Source: operator 8 of the model format.
struct FloorOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.floor, versions: 1...1, types: .uniform([.float32, .float16, .bfloat16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .floatingPoint(context, Function(), cost: 0.2)
  }

  private struct Function: FloatFunction {
    var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .floor) }

    @inline(__always)
    func callAsFunction(_ input: Float) -> Float { input.wholeBelow }
  }
}

/// ROUND: the nearest integer, ties to even.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32, float16, bfloat16.
/// - Source: operator 116 of the model format.
struct RoundOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.round, versions: 1...1, types: .uniform([.float32, .float16, .bfloat16]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .floatingPoint(context, Function(), cost: 0.2)
  }

  private struct Function: FloatFunction {
    var kernel: UnaryFloatKernel? { UnaryFloatKernel(operation: .roundToEven) }

    @inline(__always)
    func callAsFunction(_ input: Float) -> Float { input.nearestWhole }
  }
}

/// SIGN: 1, -1, or 0 for zero; NaN for NaN.
///
/// - Shapes: any; the output has the input's shape.
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
