import SwiftletEngine

/// The input indices of an LSTM node.
struct LSTMInputs: Sendable {
  /// The inputs of one gate. A node may omit each of them.
  struct Gate: Sendable {
    var weights: Int
    var recurrent: Int
    var peephole: Int?
    var bias: Int
    var normalization: Int?
    var auxiliary: Int?
  }

  enum GateKind: Int, CaseIterable, Sendable {
    case input
    case forget
    case cell
    case output
  }

  var data: Int
  var auxiliary: Int?
  /// The inputs of the gates, in the order of `GateKind`.
  var gates: [Gate]
  var projection: Int
  var projectionBias: Int
  var outputState: Int
  var cellState: Int

  subscript(kind: GateKind) -> Gate { gates[kind.rawValue] }

  /// The inputs of LSTM (full) and UNIDIRECTIONAL_SEQUENCE_LSTM.
  static let unidirectional = LSTMInputs(
    data: 0, gates: gates(weights: 1, recurrent: 5, peephole: 9, bias: 12, normalization: 20), projection: 16,
    projectionBias: 17, outputState: 18, cellState: 19)

  /// The inputs of the two LSTMs in BIDIRECTIONAL_SEQUENCE_LSTM, one per direction.
  static let forward = LSTMInputs(
    data: 0, auxiliary: 39, gates: gates(weights: 1, recurrent: 5, peephole: 9, bias: 12, auxiliary: 40),
    projection: 16, projectionBias: 17, outputState: 35, cellState: 36)
  static let backward = LSTMInputs(
    data: 0, auxiliary: 39, gates: gates(weights: 18, recurrent: 22, peephole: 26, bias: 29, auxiliary: 44),
    projection: 33, projectionBias: 34, outputState: 37, cellState: 38)

  private static func gates(
    weights: Int, recurrent: Int, peephole: Int, bias: Int, normalization: Int? = nil, auxiliary: Int? = nil
  ) -> [Gate] {
    GateKind.allCases.map { kind in
      let gate = kind.rawValue
      // The gate that computes new cell values has no peephole.
      let peepholes: [Int?] = [peephole, peephole + 1, nil, peephole + 2]
      return Gate(
        weights: weights + gate, recurrent: recurrent + gate, peephole: peepholes[gate], bias: bias + gate,
        normalization: normalization.map { $0 + gate }, auxiliary: auxiliary.map { $0 + gate })
    }
  }
}

/// The sizes of an LSTM, and its optional parts.
struct LSTMDimensions: Sendable {
  let batches: Int
  let steps: Int
  let isTimeMajor: Bool
  let inputs: Int
  let auxiliaryInputs: Int
  let cells: Int
  let outputs: Int
  /// Whether the input gate is omitted: it is one minus the forget gate.
  let isCoupled: Bool
  let hasPeephole: Bool
  let hasProjection: Bool
  let isNormalized: Bool

  /// The gates that are computed.
  var gates: [LSTMInputs.GateKind] { isCoupled ? [.forget, .cell, .output] : LSTMInputs.GateKind.allCases }

  /// Returns the row of a sequence tensor for a step of a batch entry.
  @inline(__always)
  func row(step: Int, batch: Int) -> Int { isTimeMajor ? step &* batches &+ batch : batch &* steps &+ step }

  /// Creates the dimensions, and checks the tensors of the node for consistency.
  ///
  /// - Throws: An error if some of the related tensors are missing or don't match.
  init(_ node: NodeView, _ inputs: LSTMInputs, isSequence: Bool, isTimeMajor: Bool) throws {
    let data = try node.input(inputs.data)
    guard data.shape.rank == (isSequence ? 3 : 2) else {
      throw node.invalid("input \(data) must have rank \(isSequence ? 3 : 2)")
    }
    self.isTimeMajor = isTimeMajor
    batches = isSequence ? data.shape[isTimeMajor ? 1 : 0] : data.shape[0]
    steps = isSequence ? data.shape[isTimeMajor ? 0 : 1] : 1
    self.inputs = data.shape.innermost
    let auxiliary = inputs.auxiliary.flatMap(node.optionalInput)
    auxiliaryInputs = auxiliary?.shape.innermost ?? 0

    let weights = try node.input(inputs[.output].weights)
    let recurrent = try node.input(inputs[.output].recurrent)
    guard weights.shape.rank == 2, (1...2).contains(recurrent.shape.rank) else {
      throw node.invalid("weights \(weights) and \(recurrent) must be matrices")
    }
    cells = weights.shape[0]
    outputs = recurrent.shape.innermost
    isCoupled = !node.hasInput(inputs[.input].weights)
    hasPeephole = inputs[.output].peephole.map(node.hasInput) ?? false
    hasProjection = node.hasInput(inputs.projection)
    isNormalized = inputs[.forget].normalization.map(node.hasInput) ?? false
    guard self.inputs > 0, cells > 0, outputs > 0 else { throw node.invalid("has no inputs, cells or outputs") }
    guard hasProjection || outputs == cells else {
      throw node.invalid("has \(outputs) outputs for \(cells) cells and no projection between them")
    }
    if let auxiliary {
      guard auxiliary.shape.rank == 3, auxiliary.shape[0] == data.shape[0], auxiliary.shape[1] == data.shape[1] else {
        throw node.invalid("auxiliary input \(auxiliary) is inconsistent with input \(data)")
      }
    }
    try check(node, inputs, auxiliary: auxiliary != nil)
  }

  private func check(_ node: NodeView, _ inputs: LSTMInputs, auxiliary: Bool) throws {
    for kind in LSTMInputs.GateKind.allCases {
      let gate = inputs[kind]
      let isPresent = kind != .input || !isCoupled
      try require(node, gate.weights, [cells, self.inputs], when: isPresent)
      try require(node, gate.bias, [cells], when: isPresent)
      if isPresent, try node.input(gate.recurrent).shape.rank == 1 {
        try require(node, gate.recurrent, [cells], when: true)
        guard outputs == cells else {
          throw node.invalid("has a recurrent vector, so it must have as many outputs as cells")
        }
      } else {
        try require(node, gate.recurrent, [cells, outputs], when: isPresent)
      }
      if let peephole = gate.peephole { try require(node, peephole, [cells], when: isPresent && hasPeephole) }
      if let index = gate.normalization { try require(node, index, [cells], when: isPresent && isNormalized) }
      if let index = gate.auxiliary {
        // If an auxiliary input has no auxiliary weights, it isn't used.
        try require(node, index, [cells, auxiliaryInputs], when: auxiliary && isPresent)
      }
    }
    try require(node, inputs.projection, [outputs, cells], when: hasProjection)
    if node.hasInput(inputs.projectionBias) { try require(node, inputs.projectionBias, [outputs], when: hasProjection) }
    for (index, width) in [(inputs.outputState, outputs), (inputs.cellState, cells)] {
      let state = try node.input(index)
      guard node.isVariable(index) else { throw node.invalid("state \(state) must be a variable tensor") }
      guard state.shape.elementCount == Shape([batches, width]).elementCount else {
        throw node.invalid("state \(state) must hold \(batches) × \(width) elements")
      }
    }
  }

  private func require(_ node: NodeView, _ index: Int, _ shape: Shape, when isExpected: Bool) throws {
    guard isExpected else {
      guard !node.hasInput(index) else {
        throw node.invalid("input \(index) is given although the part it belongs to is absent")
      }
      return
    }
    let spec = try node.input(index)
    guard spec.shape == shape else { throw node.invalid("input \(index) \(spec) must have the shape \(shape)") }
  }
}
