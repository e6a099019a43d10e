import SwiftletEngine
import SwiftletSchema

/// LSTM: one step of a long short-term memory.
///
/// - Shapes: input `[batch, inputs]`, output `[batch, outputs]`; state `[batch, outputs]` and cells `[batch, cells]`,
///   both variable tensors. The basic form has a single matrix `[4 × cells, inputs + cells]`. Its inputs include the
///   previous output and cells, and its outputs are the output, the cells, the joined input `[batch, inputs + cells]`,
///   and the gate sums `[batch, 4 × cells]`.
/// - Types: as for UNIDIRECTIONAL_SEQUENCE_LSTM; for the basic form float32, or uint8 with int16 cells.
/// - Source: operator 16 of the model format.
struct LSTMOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .lstm, versions: 1...4, floatError: 1e-6, types: LSTMTypes.combinations + BasicLSTM.quantizedTypes)
  }

  private enum Form: Sendable {
    case full(LSTMParameters)
    case basic
  }

  private let form: Form

  init(parsing node: NodeReader) throws {
    let kernel = try node.options.code(of: LSTMOptions.kernelType)
    switch LSTMKernel(rawValue: kernel) {
    case .full:
      try node.require(inputs: 20...24)
      form = .full(
        try LSTMParameters(
          node, activation: LSTMOptions.fusedActivation, cellClip: LSTMOptions.cellClip,
          projectionClip: LSTMOptions.projectionClip, asymmetric: LSTMOptions.asymmetricQuantizeInputs))
    case .basic:
      try node.require(inputs: 5...5, outputs: 4...4)
      form = .basic
    case nil: throw node.invalid("has kernel type \(kernel), which the format does not define")
    }
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    switch form {
    case .full:
      let dimensions = try LSTMDimensions(node, .unidirectional, isSequence: false, isTimeMajor: false)
      return [[dimensions.batches, dimensions.outputs]]
    case .basic: return try BasicLSTM.shapes(node)
    }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch form {
    case .full(let options):
      let dimensions = try LSTMDimensions(context.node, .unidirectional, isSequence: false, isTimeMajor: false)
      return try .longShortTermMemory(context, dimensions, options)
    case .basic: return try BasicLSTM.prepare(context)
    }
  }
}

/// The options of an LSTM.
struct LSTMParameters: Sendable {
  let activation: FusedActivation
  /// The maximum magnitude of cell values; 0 for no limit.
  let cellClip: Float
  /// The maximum magnitude of projected values; 0 for no limit.
  let projectionClip: Float
  let isAsymmetric: Bool

  /// Creates the parameters from the fields of the operator's option table.
  ///
  /// - Parameter asymmetric: The field that requests zero points for dynamically quantized activations.
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

/// UNIDIRECTIONAL_SEQUENCE_LSTM: an LSTM that processes a sequence.
///
/// - Shapes: input `[batch, step, inputs]`, or `[step, batch, inputs]` if time is the first dimension; output the same
///   with the number of outputs as the last dimension; state `[batch, outputs]` and cells `[batch, cells]`, both
///   variable tensors, which keep their values between runs.
/// - Types: float32; float32 with int8 (or uint8) weights and dynamically quantized activations; int8 with int16 cells.
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

/// The supported type combinations of an LSTM: all float32, float32 with 8-bit weights, or all integers.
enum LSTMTypes {

  /// The combinations, with one list entry for each of the 24 inputs.
  static let combinations: [TypeCombination] = [
    floatingPoint(weights: .float32), floatingPoint(weights: .int8), floatingPoint(weights: .uint8),
    combination(
      data: .int8, weights: .int8, peephole: .int16, bias: .int32, state: .int8, cell: .int16, norm: .int16),
  ]

  /// The combinations for two directions with 48 inputs. There is no integer form.
  static let bidirectionalCombinations: [TypeCombination] = [TypeSet.float32, .int8, .uint8].map { weights in
    let direction = Array(floatingPoint(weights: weights).inputs[1...17])
    let states = [TypeSet](repeating: .float32, count: 5)
    return TypeCombination(
      inputs: [.float32] + direction + direction + states + [TypeSet](repeating: weights, count: 8), outputs: [.float32]
    )
  }

  private static func floatingPoint(weights: TypeSet) -> TypeCombination {
    combination(
      data: .float32, weights: weights, peephole: weights, bias: .float32, state: .float32, cell: .float32,
      norm: .float32)
  }

  private static func combination(
    data: TypeSet, weights: TypeSet, peephole: TypeSet, bias: TypeSet, state: TypeSet, cell: TypeSet, norm: TypeSet
  ) -> TypeCombination {
    // Recurrent vectors stay float32 if matrices are quantized.
    let recurrent = data == .float32 ? weights.union(.float32) : weights
    var inputs = [data]
    inputs += [TypeSet](repeating: weights, count: 4)
    inputs += [TypeSet](repeating: recurrent, count: 4)
    inputs += [TypeSet](repeating: peephole, count: 3)
    inputs += [TypeSet](repeating: bias, count: 4)
    inputs += [weights, bias, state, cell]
    inputs += [TypeSet](repeating: norm, count: 4)
    return TypeCombination(inputs: inputs, outputs: [data])
  }
}

extension PreparedOperator {
  /// Returns an LSTM with the inputs in `LSTMInputs.unidirectional`.
  static func longShortTermMemory(
    _ context: PrepareContext, _ dimensions: LSTMDimensions, _ options: LSTMParameters
  ) throws -> PreparedOperator {
    guard dimensions.batches > 0, dimensions.steps > 0 else { return .empty }
    if try context.node.input(0).elementType == .int8 {
      let memory = try IntegerLSTM(context, .unidirectional, dimensions, options)
      return PreparedOperator(stages: memory.stages, multiplyAdds: memory.multiplyAdds)
    }
    let memory = try FloatLSTM(
      context, .unidirectional, dimensions, options, output: try context.outputSlot(0), outputStride: dimensions.outputs
    )
    return PreparedOperator(stages: memory.stages, multiplyAdds: memory.multiplyAdds)
  }
}
