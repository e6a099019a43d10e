import SwiftletEngine
import SwiftletSchema

/// BIDIRECTIONAL_SEQUENCE_LSTM: two LSTMs that process a sequence from both ends.
///
/// - Shapes: input `[step, batch, inputs]`, or batches first; outputs the same with the number of outputs as the last
///   dimension, one per direction or both side by side in one. An auxiliary input is added to the input if it has
///   weights; otherwise, it is the input of the backward direction.
/// - Types: float32; float32 with int8 (or uint8) weights.
/// - Source: operator 52 of the model format.
struct BidirectionalSequenceLSTMOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .bidirectionalSequenceLSTM, versions: 1...3, floatError: 1e-6, types: LSTMTypes.bidirectionalCombinations)
  }

  private let options: LSTMParameters
  private let mergesOutputs: Bool
  private let isTimeMajor: Bool

  init(parsing node: NodeReader) throws {
    options = try LSTMParameters(
      node, activation: BidirectionalSequenceLSTMOptions.fusedActivation,
      cellClip: BidirectionalSequenceLSTMOptions.cellClip,
      projectionClip: BidirectionalSequenceLSTMOptions.projectionClip,
      asymmetric: BidirectionalSequenceLSTMOptions.asymmetricQuantizeInputs)
    mergesOutputs = try node.options[BidirectionalSequenceLSTMOptions.mergeOutputs]
    isTimeMajor = try node.options[BidirectionalSequenceLSTMOptions.timeMajor]
    let outputs = mergesOutputs ? 1 : 2
    try node.require(inputs: 48...48, outputs: outputs...outputs)
  }

  /// Returns the inputs of both directions, with the auxiliary input in its role in this node.
  private func directions(_ node: NodeView) -> (forward: LSTMInputs, backward: LSTMInputs) {
    var forward = LSTMInputs.forward
    var backward = LSTMInputs.backward
    guard let auxiliary = forward.auxiliary, node.hasInput(auxiliary) else { return (forward, backward) }
    if forward[.forget].auxiliary.map(node.hasInput) != true {
      forward.auxiliary = nil
      backward.auxiliary = nil
      backward.data = auxiliary
    }
    return (forward, backward)
  }

  private func dimensions(_ node: NodeView, _ inputs: LSTMInputs) throws -> LSTMDimensions {
    try LSTMDimensions(node, inputs, isSequence: true, isTimeMajor: isTimeMajor)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (forward, backward) = directions(node)
    let first = try dimensions(node, forward)
    let second = try dimensions(node, backward)
    guard first.batches == second.batches, first.steps == second.steps else {
      throw node.invalid("inputs of the two directions differ in batches or steps")
    }
    try node.requireDifferent([forward, backward].flatMap { [$0.outputState, $0.cellState] })
    let data = try node.input(0).shape
    if mergesOutputs { return [[data[0], data[1], first.outputs + second.outputs]] }
    return [[data[0], data[1], first.outputs], [data[0], data[1], second.outputs]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let (forward, backward) = directions(context.node)
    let first = try dimensions(context.node, forward)
    let second = try dimensions(context.node, backward)
    guard first.batches > 0, first.steps > 0 else { return .empty }
    let width = first.outputs + second.outputs
    let output = try context.outputSlot(0)
    let ahead = try FloatLSTM(
      context, forward, first, options, output: output, outputStride: mergesOutputs ? width : first.outputs)
    let back = try FloatLSTM(
      context, backward, second, options, output: mergesOutputs ? output : try context.outputSlot(1),
      outputStride: mergesOutputs ? width : second.outputs, outputOffset: mergesOutputs ? first.outputs : 0,
      isReversed: true)
    return .sideBySide(
      ahead.stages, back.stages, multiplyAdds: ahead.multiplyAdds &+ back.multiplyAdds)
  }
}

extension NodeView {
  /// Checks the state inputs.
  ///
  /// - Throws: An error if two of these inputs are the same tensor, because both directions would change it at the same
  ///   time.
  func requireDifferent(_ states: [Int]) throws {
    guard Set(states.map { node.inputs[$0] }).count == states.count else {
      throw invalid("requires a separate state for each direction, but some of \(states) are the same tensor")
    }
  }
}

extension PreparedOperator {
  /// Returns two independent sequences of stages, merged stage by stage.
  static func sideBySide(_ first: [Stage], _ second: [Stage], multiplyAdds: Int) -> PreparedOperator {
    let stages = (0..<max(first.count, second.count)).map { index in
      Stage.joined([first, second].filter { index < $0.count }.map { $0[index] })
    }
    return PreparedOperator(stages: stages, multiplyAdds: multiplyAdds)
  }
}

/// BIDIRECTIONAL_SEQUENCE_RNN: two simple recurrent layers that process a sequence from both ends.
///
/// - Shapes: input and outputs as for BIDIRECTIONAL_SEQUENCE_LSTM; weights and states of each direction as for RNN.
/// - Types: as for RNN.
/// - Source: operator 46 of the model format.
struct BidirectionalSequenceRNNOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .bidirectionalSequenceRNN, versions: 1...3, floatError: 1e-6,
      types: RNNParameters.types(inputs: 12, weights: [1, 2, 5, 6, 10, 11]))
  }

  private let options: RNNParameters
  private let isTimeMajor: Bool
  private let mergesOutputs: Bool

  init(parsing node: NodeReader) throws {
    options = try RNNParameters(
      node, activation: BidirectionalSequenceRNNOptions.fusedActivation,
      asymmetric: BidirectionalSequenceRNNOptions.asymmetricQuantizeInputs)
    isTimeMajor = try node.options[BidirectionalSequenceRNNOptions.timeMajor]
    mergesOutputs = try node.options[BidirectionalSequenceRNNOptions.mergeOutputs]
    let outputs = mergesOutputs ? 1 : 2
    try node.require(inputs: 9...12, outputs: outputs...outputs)
  }

  /// Returns the inputs of both directions. An auxiliary input without weights is the input of the backward direction.
  private func directions(_ node: NodeView) throws -> (forward: RNNInputs, backward: RNNInputs) {
    var forward = RNNInputs.forward
    var backward = RNNInputs.backward
    let hasWeights = [10, 11].map(node.hasInput)
    guard hasWeights[0] == hasWeights[1] else { throw node.invalid("has auxiliary weights for one direction only") }
    if !hasWeights[0] {
      if node.hasInput(9) { backward.data = 9 }
      forward.auxiliary = nil
      backward.auxiliary = nil
    }
    return (forward, backward)
  }

  private func dimensions(_ node: NodeView, _ inputs: RNNInputs) throws -> RNNDimensions {
    try RNNDimensions(node, inputs, isSequence: true, isTimeMajor: isTimeMajor)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (forward, backward) = try directions(node)
    let first = try dimensions(node, forward)
    let second = try dimensions(node, backward)
    guard first.batches == second.batches, first.steps == second.steps else {
      throw node.invalid("inputs of the two directions differ in batches or steps")
    }
    try node.requireDifferent([forward.state, backward.state])
    let data = try node.input(0).shape
    if mergesOutputs { return [[data[0], data[1], first.units + second.units]] }
    return [[data[0], data[1], first.units], [data[0], data[1], second.units]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let (forward, backward) = try directions(context.node)
    let first = try dimensions(context.node, forward)
    let second = try dimensions(context.node, backward)
    guard first.batches > 0, first.steps > 0 else { return .empty }
    let width = first.units + second.units
    let output = try context.outputSlot(0)
    let ahead = try FloatRNN(
      context, forward, first, activation: options.activation, isAsymmetric: options.isAsymmetric, output: output,
      outputStride: mergesOutputs ? width : first.units)
    let back = try FloatRNN(
      context, backward, second, activation: options.activation, isAsymmetric: options.isAsymmetric,
      output: mergesOutputs ? output : try context.outputSlot(1), outputStride: mergesOutputs ? width : second.units,
      outputOffset: mergesOutputs ? first.units : 0, isReversed: true)
    return .sideBySide(ahead.stages, back.stages, multiplyAdds: ahead.multiplyAdds &+ back.multiplyAdds)
  }
}
