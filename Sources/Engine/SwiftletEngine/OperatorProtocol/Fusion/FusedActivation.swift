package import SwiftletSchema

extension FusedActivation {
  /// The clamp in real numbers.
  package var floatRange: (lower: Float, upper: Float) {
    switch self {
    case .relu: (0, .infinity)
    case .reluN1To1: (-1, 1)
    case .relu6: (0, 6)
    case .none, .tanh, .signBit: (-.infinity, .infinity)
    }
  }
}

/// An operator that can apply an activation to its float32 output itself, so that a following activation node is fused
/// into it.
package protocol FusesActivation: Operator {
  /// This operator with the clamp applied last, or `nil` when it already has an activation.
  func fusing(_ activation: FusedActivation) -> Self?
}

/// A float32 activation node that another operator can apply for it.
package protocol ActivationOperator: Operator {
  var fusedActivation: FusedActivation? { get }
}
