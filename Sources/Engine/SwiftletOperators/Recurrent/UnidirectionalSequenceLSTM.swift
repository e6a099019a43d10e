import SwiftletEngine
import SwiftletSchema

/// UNIDIRECTIONAL_SEQUENCE_LSTM: a long short-term memory that goes through a sequence.
///
/// - Shapes: input `[batch, step, inputs]`, or `[step, batch, inputs]` when time comes first; output the same with the
///   outputs' number last; state `[batch, outputs]` and cells `[batch, cells]`, both variable tensors, which keep their
///   values from run to run.
/// - Types: float32; float32 with int8 (or uint8) weights, where activations are quantised in the run; int8 with int16
///   cells.
/// - Source: operator 44 of the model format.
struct UnidirectionalSequenceLSTMOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .unidirectionalSequenceLSTM, versions: 1...4, floatError: 1e-6, types: LSTMTypes.combinations)
  }

  private let options: LSTMParameters
  private let isTimeMajor: Bool

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 20...24)
    options = try LSTMParameters(
      node, activation: UnidirectionalSequenceLSTMOptions.fusedActivation,
      cellClip: UnidirectionalSequenceLSTMOptions.cellClip,
      projectionClip: UnidirectionalSequenceLSTMOptions.projectionClip,
      asymmetric: UnidirectionalSequenceLSTMOptions.asymmetricQuantizeInputs)
    isTimeMajor = try node.options[UnidirectionalSequenceLSTMOptions.timeMajor]
  }

  private func dimensions(_ node: NodeView) throws -> LSTMDimensions {
    try LSTMDimensions(node, .unidirectional, isSequence: true, isTimeMajor: isTimeMajor)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let dimensions = try dimensions(node)
    let data = try node.input(0).shape
    return [[data[0], data[1], dimensions.outputs]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .longShortTermMemory(context, try dimensions(context.node), options)
  }
}
