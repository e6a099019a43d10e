import SwiftletEngine
import SwiftletSchema

/// LSTM: one step of a long short-term memory.
///
/// - Shapes: input `[batch, inputs]`, output `[batch, outputs]`; state `[batch, outputs]` and cells `[batch, cells]`,
///   both variable tensors. The basic form has one matrix `[4 × cells, inputs + cells]` for everything, takes the
///   former output and cells as inputs, and gives output, cells, the joined input `[batch, inputs + cells]` and the
///   gates' sums `[batch, 4 × cells]`.
/// - Types: as UNIDIRECTIONAL_SEQUENCE_LSTM; the basic form float32, or uint8 with int16 cells.
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
