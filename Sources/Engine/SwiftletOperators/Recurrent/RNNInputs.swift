import SwiftletEngine

/// Which input of a simple recurrent node holds what.
struct RNNInputs: Sendable {
  var data: Int
  var weights: Int
  var recurrent: Int
  var bias: Int
  var state: Int
  var auxiliary: Int?
  var auxiliaryWeights: Int?

  /// RNN and UNIDIRECTIONAL_SEQUENCE_RNN.
  static let unidirectional = RNNInputs(data: 0, weights: 1, recurrent: 2, bias: 3, state: 4)
  /// The two directions of BIDIRECTIONAL_SEQUENCE_RNN.
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
        throw node.invalid("auxiliary input \(auxiliary) does not fit input \(data)")
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
