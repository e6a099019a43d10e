import SwiftletEngine
import SwiftletSchema

/// RELU: `max(x, 0)`.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32; int8, uint8, int16 quantised, also with another scale in the output.
/// - Source: operator 19 of the model format.
struct ReluOperator: ClampOperator, ActivationOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.relu, versions: 1...3, types: .uniform([.float32, .int8, .uint8, .int16]))
  }
  static let range: (lower: Float, upper: Float) = (0, .infinity)

  var fusedActivation: FusedActivation? { .relu }
}
