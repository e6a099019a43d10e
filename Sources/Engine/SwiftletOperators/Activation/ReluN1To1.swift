import SwiftletEngine
import SwiftletSchema

/// RELU_N1_TO_1: `min(max(x, -1), 1)`.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32; int8, uint8 quantised, also with another scale in the output.
/// - Source: operator 20 of the model format.
struct ReluN1To1Operator: ClampOperator, ActivationOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.reluN1To1, versions: 1...1, types: .uniform([.float32, .int8, .uint8]))
  }
  static let range: (lower: Float, upper: Float) = (-1, 1)

  var fusedActivation: FusedActivation? { .reluN1To1 }
}
