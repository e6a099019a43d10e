import SwiftletEngine
import SwiftletSchema

/// RELU6: `min(max(x, 0), 6)`.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32; int8, uint8, int16 quantised, also with another scale in the output.
/// - Source: operator 21 of the model format.
struct Relu6Operator: ClampOperator, ActivationOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.relu6, versions: 1...3, types: .uniform([.float32, .int8, .uint8, .int16]))
  }
  static let range: (lower: Float, upper: Float) = (0, 6)

  var fusedActivation: FusedActivation? { .relu6 }
}
