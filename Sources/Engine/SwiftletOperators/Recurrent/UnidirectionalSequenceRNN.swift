import SwiftletEngine
import SwiftletSchema

/// UNIDIRECTIONAL_SEQUENCE_RNN: a simple recurrent layer that goes through a sequence.
///
/// - Shapes: input `[batch, step, inputs]`, or `[step, batch, inputs]` when time comes first; everything else as RNN.
/// - Types: as RNN.
/// - Source: operator 35 of the model format.
struct UnidirectionalSequenceRNNOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .unidirectionalSequenceRNN, versions: 1...3, floatError: 1e-6,
      types: RNNParameters.types(inputs: 5, weights: [1, 2]))
  }

  private let options: RNNParameters
  private let isTimeMajor: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 5...5)
    options = try RNNParameters(
      node, activation: SequenceRNNOptions.fusedActivation, asymmetric: SequenceRNNOptions.asymmetricQuantizeInputs)
    isTimeMajor = try node.options[SequenceRNNOptions.timeMajor]
  }

  private func dimensions(_ node: NodeView) throws -> RNNDimensions {
    try RNNDimensions(node, .unidirectional, isSequence: true, isTimeMajor: isTimeMajor)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let data = try node.input(0).shape
    let dimensions = try dimensions(node)
    return [[data[0], data[1], dimensions.units]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .recurrent(context, try dimensions(context.node), options)
  }
}
