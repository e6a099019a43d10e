import SwiftletEngine
import SwiftletSchema

/// RELU_0_TO_1: `min(max(x, 0), 1)`.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32; int8, uint8 quantised, also with another scale in the output.
/// - Source: operator 152 of the model format.
struct Relu0To1Operator: ClampOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.relu0To1, versions: 1...1, types: .uniform([.float32, .int8, .uint8]))
  }
  static let range: (lower: Float, upper: Float) = (0, 1)
}
