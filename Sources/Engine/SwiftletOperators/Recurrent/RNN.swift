import SwiftletEngine
import SwiftletSchema

/// RNN: one step of a simple recurrent layer.
///
/// - Shapes: input `[batch, inputs]`, weights `[units, inputs]` and `[units, units]`, bias `[units]`, state `[batch,
///   units]` (a variable tensor); output `[batch, units]`.
/// - Types: float32; float32 with int8 (or uint8) weights and dynamically quantized activations.
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

/// The input indices of a simple recurrent node.
struct RNNInputs: Sendable {
  var data: Int
  var weights: Int
  var recurrent: Int
  var bias: Int
  var state: Int
  var auxiliary: Int?
  var auxiliaryWeights: Int?

  /// The inputs of RNN and UNIDIRECTIONAL_SEQUENCE_RNN.
  static let unidirectional = RNNInputs(data: 0, weights: 1, recurrent: 2, bias: 3, state: 4)
  /// The inputs of the two directions of BIDIRECTIONAL_SEQUENCE_RNN.
  static let forward = RNNInputs(
    data: 0, weights: 1, recurrent: 2, bias: 3, state: 4, auxiliary: 9, auxiliaryWeights: 10)
  static let backward = RNNInputs(
    data: 0, weights: 5, recurrent: 6, bias: 7, state: 8, auxiliary: 9, auxiliaryWeights: 11)
}

/// The sizes of a simple recurrent node.
struct RNNDimensions: Sendable {
  let batches: Int
  let steps: Int
  let isTimeMajor: Bool
  let inputs: Int
  let auxiliaryInputs: Int
  let units: Int

  @inline(__always)
  func row(step: Int, batch: Int) -> Int { isTimeMajor ? step &* batches &+ batch : batch &* steps &+ step }

  init(_ node: NodeView, _ inputs: RNNInputs, isSequence: Bool, isTimeMajor: Bool) throws {
    let data = try node.input(inputs.data)
    guard data.shape.rank == (isSequence ? 3 : 2) else {
      throw node.invalid("input \(data) must have rank \(isSequence ? 3 : 2)")
    }
    self.isTimeMajor = isTimeMajor
    batches = isSequence ? data.shape[isTimeMajor ? 1 : 0] : data.shape[0]
    steps = isSequence ? data.shape[isTimeMajor ? 0 : 1] : 1
    self.inputs = data.shape.innermost
    units = try node.input(inputs.bias).shape.elementCount
    guard self.inputs > 0, units > 0 else { throw node.invalid("has no inputs or no units") }
    var expected: [(Int, Shape)] = [
      (inputs.weights, [units, self.inputs]), (inputs.recurrent, [units, units]), (inputs.bias, [units]),
      (inputs.state, [batches, units]),
    ]
    if let index = inputs.auxiliary, let weights = inputs.auxiliaryWeights {
      let auxiliary = try node.input(index)
      guard auxiliary.shape.rank == 3, auxiliary.shape[0] == data.shape[0], auxiliary.shape[1] == data.shape[1] else {
        throw node.invalid("auxiliary input \(auxiliary) is inconsistent with input \(data)")
      }
      auxiliaryInputs = auxiliary.shape.innermost
      expected.append((weights, [units, auxiliaryInputs]))
    } else {
      auxiliaryInputs = 0
    }
    for (index, shape) in expected where try node.input(index).shape != shape {
      throw node.invalid("input \(index) \(try node.input(index)) must have the shape \(shape)")
    }
    guard node.isVariable(inputs.state) else {
      throw node.invalid("state \(try node.input(inputs.state)) must be a variable tensor")
    }
  }
}

/// The common part of the simple recurrent operators.
struct RNNParameters: Sendable {
  let activation: FusedActivation
  let isAsymmetric: Bool

  /// Creates the parameters from the fields of the operator's option table.
  init(_ node: NodeReader, activation: OptionField<FusedActivation>, asymmetric: OptionField<Bool>) throws {
    self.activation = try FusedActivation(
      node, field: activation, allowed: [.none, .relu, .reluN1To1, .relu6, .tanh, .signBit])
    isAsymmetric = try node.options[asymmetric]
  }

  /// Returns the combinations of float32, alone or with 8-bit weights in the given inputs.
  static func types(inputs count: Int, weights: Set<Int>) -> [TypeCombination] {
    [TypeSet.float32, .int8, .uint8].map { type in
      TypeCombination(inputs: (0..<count).map { weights.contains($0) ? type : .float32 }, outputs: [.float32])
    }
  }
}

extension PreparedOperator {
  /// Returns a simple recurrent layer with the inputs in `RNNInputs.unidirectional`.
  static func recurrent(
    _ context: PrepareContext, _ dimensions: RNNDimensions, _ options: RNNParameters
  ) throws -> PreparedOperator {
    guard dimensions.batches > 0, dimensions.steps > 0 else { return .empty }
    let layer = try FloatRNN(
      context, .unidirectional, dimensions, activation: options.activation, isAsymmetric: options.isAsymmetric,
      output: try context.outputSlot(0), outputStride: dimensions.units)
    return PreparedOperator(stages: layer.stages, multiplyAdds: layer.multiplyAdds)
  }
}

/// UNIDIRECTIONAL_SEQUENCE_RNN: a simple recurrent layer that processes a sequence.
///
/// - Shapes: input `[batch, step, inputs]`, or `[step, batch, inputs]` if time is the first dimension; everything else
///   as for RNN.
/// - Types: as for RNN.
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
