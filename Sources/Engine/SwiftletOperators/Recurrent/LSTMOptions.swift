import SwiftletEngine

/// The options of a long short-term memory.
struct LSTMOptions: Sendable {
  let activation: FusedActivation
  /// The largest magnitude of cell values; 0 for any.
  let cellClip: Float
  /// The largest magnitude of projected values; 0 for any.
  let projectionClip: Float
  let isAsymmetric: Bool

  /// - Parameter asymmetric: the field that asks for zero points when activations are quantised in the run.
  init(_ node: NodeReader, asymmetric: Int) throws {
    activation = try FusedActivation(
      node, field: 0, allowed: [.none, .relu, .reluN1To1, .relu6, .tanh, .signBit])
    cellClip = try node.options.float(1)
    projectionClip = try node.options.float(2)
    guard cellClip >= 0, projectionClip >= 0, cellClip.isFinite, projectionClip.isFinite else {
      throw node.invalid("clips at \(cellClip) and \(projectionClip), which must not be negative")
    }
    isAsymmetric = try node.options.bool(asymmetric)
  }
}
