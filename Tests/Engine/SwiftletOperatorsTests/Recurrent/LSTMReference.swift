import SwiftletBase
import SwiftletTestSupport

/// An LSTM in double precision, implemented from its definition.
struct LSTMReference {
  typealias Matrix = [[Double]]

  /// The weights in the order of the node's inputs: input, forget, cell, and output gate. Those of the input gate are
  /// empty if gates are coupled.
  var weights: [Matrix]
  var recurrent: [Matrix]
  var auxiliary: [Matrix] = []
  /// One number per cell, for the input, forget, and output gate.
  var peepholes: [[Double]] = []
  var normalization: [[Double]] = []
  var bias: [[Double]]
  var projection: Matrix = []
  var projectionBias: [Double] = []
  var cellClip = 0.0
  var projectionClip = 0.0
  /// The number of cells that peepholes read; all if `nil`.
  var peepholeCells: Int?

  var isCoupled: Bool { weights[0].isEmpty }
  var cells: Int { weights[3].count }
  var outputs: Int { projection.isEmpty ? cells : projection.count }

  /// Creates an LSTM with weights from a seed.
  init(
    inputs: Int, cells: Int, outputs: Int? = nil, isCoupled: Bool = false, hasPeepholes: Bool = false,
    isNormalized: Bool = false, auxiliaryInputs: Int = 0, seed: UInt64
  ) {
    var generator = SplitMix64(state: seed)
    func vector(_ count: Int) -> [Double] { (0..<count).map { _ in Double.random(in: -0.8...0.8, using: &generator) } }
    func matrix(_ rows: Int, _ columns: Int) -> Matrix { (0..<rows).map { _ in vector(columns) } }
    let width = outputs ?? cells
    weights = (0..<4).map { $0 == 0 && isCoupled ? [] : matrix(cells, inputs) }
    recurrent = (0..<4).map { $0 == 0 && isCoupled ? [] : matrix(cells, width) }
    bias = (0..<4).map { $0 == 0 && isCoupled ? [] : vector(cells) }
    if hasPeepholes { peepholes = (0..<3).map { $0 == 0 && isCoupled ? [] : vector(cells) } }
    if isNormalized { normalization = (0..<4).map { $0 == 0 && isCoupled ? [] : vector(cells).map { $0 + 1 } } }
    if auxiliaryInputs > 0 {
      auxiliary = (0..<4).map { $0 == 0 && isCoupled ? [] : matrix(cells, auxiliaryInputs) }
    }
    if let outputs {
      projection = matrix(outputs, cells)
      projectionBias = vector(outputs)
    }
  }

  private static func product(_ matrix: Matrix, _ vector: [Double]) -> [Double] {
    matrix.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
  }

  private static func sigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }

  private static func clipped(_ values: [Double], _ limit: Double) -> [Double] {
    limit > 0 ? values.map { min(max($0, -limit), limit) } : values
  }

  /// Returns the outputs of a sequence, from a state of zeros.
  ///
  /// - Parameter auxiliary: The auxiliary input of each step.
  func run(_ sequence: [[Double]], auxiliary: [[Double]] = []) -> [[Double]] {
    var state = [Double](repeating: 0, count: outputs), memory = [Double](repeating: 0, count: cells)
    return sequence.enumerated().map { index, data in
      func sums(_ gate: Int, peephole: Int?) -> [Double] {
        var sums = Self.product(weights[gate], data)
        let fed = Self.product(recurrent[gate], state)
        let added = self.auxiliary.isEmpty ? [] : Self.product(self.auxiliary[gate], auxiliary[index])
        for cell in sums.indices {
          sums[cell] += fed[cell] + (added.isEmpty ? 0 : added[cell])
          if normalization.isEmpty { sums[cell] += bias[gate][cell] }
          if let peephole, !peepholes.isEmpty, cell < peepholeCells ?? cells {
            sums[cell] += peepholes[peephole][cell] * memory[cell]
          }
        }
        guard !normalization.isEmpty else { return sums }
        let mean = sums.reduce(0, +) / Double(cells)
        let variance = sums.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(cells)
        return sums.indices.map {
          (sums[$0] - mean) / (variance + 1e-8).squareRoot() * normalization[gate][$0] + bias[gate][$0]
        }
      }
      let forget = sums(1, peephole: 1).map(Self.sigmoid)
      let admitted = isCoupled ? forget.map { 1 - $0 } : sums(0, peephole: 0).map(Self.sigmoid)
      let new = sums(2, peephole: nil).map { tanh($0) }
      memory = Self.clipped(memory.indices.map { forget[$0] * memory[$0] + admitted[$0] * new[$0] }, cellClip)
      let gate = sums(3, peephole: 2).map(Self.sigmoid)
      state = memory.indices.map { gate[$0] * tanh(memory[$0]) }
      guard !projection.isEmpty else { return state }
      state = Self.product(projection, state)
      for output in state.indices where !projectionBias.isEmpty { state[output] += projectionBias[output] }
      state = Self.clipped(state, projectionClip)
      return state
    }
  }
}
