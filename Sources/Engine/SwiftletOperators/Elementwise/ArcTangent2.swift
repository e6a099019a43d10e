import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// ATAN2: the angle of the point (`right`, `left`) in radians, from -π to π, broadcasting.
///
/// - Shapes: two tensors that broadcast to one shape, which is the output's.
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
