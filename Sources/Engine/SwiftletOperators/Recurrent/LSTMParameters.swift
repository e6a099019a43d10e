import SwiftletEngine
import SwiftletSchema

/// The options of a long short-term memory.
struct LSTMParameters: Sendable {
  let activation: FusedActivation
  /// The largest magnitude of cell values; 0 for any.
  let cellClip: Float
  /// The largest magnitude of projected values; 0 for any.
  let projectionClip: Float
  let isAsymmetric: Bool

  /// Reads the fields of the table that the operator has.
  ///
  /// - Parameter asymmetric: the field that asks for zero points when activations are quantised in the run.
  init(
    _ node: NodeReader, activation: OptionField<FusedActivation>, cellClip: OptionField<Float>,
    projectionClip: OptionField<Float>, asymmetric: OptionField<Bool>
  ) throws {
    self.activation = try FusedActivation(
      node, field: activation, allowed: [.none, .relu, .reluN1To1, .relu6, .tanh, .signBit])
    self.cellClip = try node.options[cellClip]
    self.projectionClip = try node.options[projectionClip]
    guard self.cellClip >= 0, self.projectionClip >= 0, self.cellClip.isFinite, self.projectionClip.isFinite else {
      throw node.invalid("clips at \(self.cellClip) and \(self.projectionClip), which must not be negative")
    }
    isAsymmetric = try node.options[asymmetric]
  }
}
