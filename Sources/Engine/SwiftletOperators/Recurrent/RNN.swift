import SwiftletEngine
import SwiftletSchema

/// RNN: one step of a simple recurrent layer.
///
/// - Shapes: input `[batch, inputs]`, weights `[units, inputs]` and `[units, units]`, bias `[units]`, state `[batch,
///   units]` (a variable tensor); output `[batch, units]`.
/// - Types: float32; float32 with int8 (or uint8) weights, where activations are quantised in the run.
/// - Source: operator 24 of the model format.
struct RNNOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .rnn, versions: 1...3, floatError: 1e-6, types: RNNParameters.types(inputs: 5, weights: [1, 2]))
  }

  private let options: RNNParameters

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 5...5)
    options = try RNNParameters(
      node, activation: RNNOptions.fusedActivation, asymmetric: RNNOptions.asymmetricQuantizeInputs)
  }

  private func dimensions(_ node: NodeView) throws -> RNNDimensions {
    try RNNDimensions(node, .unidirectional, isSequence: false, isTimeMajor: false)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let dimensions = try dimensions(node)
    return [[dimensions.batches, dimensions.units]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .recurrent(context, try dimensions(context.node), options)
  }
}
