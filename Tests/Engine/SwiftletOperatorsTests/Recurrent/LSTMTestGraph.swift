import SwiftletSchema
import SwiftletTestSupport

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A model of one LSTM with weights from a seed.
struct LSTMTestGraph {
  var batches = 1
  var steps = 3
  var inputs = 3
  var cells = 4
  var isTimeMajor = false
  var activation: Int8 = 4
  var cellClip: Float = 0
  /// A change of the inputs before the node is created.
  var change: (inout [Int?], inout TestGraph) -> Void = { _, _ in }

  var shape: [Int] { isTimeMajor ? [steps, batches, inputs] : [batches, steps, inputs] }

  private var options: WrittenOptions {
    UnidirectionalSequenceLSTMOptions.with {
      [$0.fusedActivation(code: activation), $0.cellClip(cellClip), $0.timeMajor(isTimeMajor)]
    }
  }

  func session(threads: Int = 1) throws -> Session {
    var generator = SplitMix64(state: 42)
    var graph = TestGraph()
    var tensors = [Int?](repeating: nil, count: 20)
    tensors[0] = graph.input(.float32, shape)
    func random(_ count: Int) -> [Float] { (0..<count).map { _ in Float.random(in: -0.7...0.7, using: &generator) } }
    for gate in 0..<4 {
      tensors[1 + gate] = graph.constant(random(cells * inputs), shape: [cells, inputs])
      tensors[5 + gate] = graph.constant(random(cells * cells), shape: [cells, cells])
      tensors[12 + gate] = graph.constant(random(cells))
    }
    tensors[18] = graph.variable(.float32, [batches, cells])
    tensors[19] = graph.variable(.float32, [batches, cells])
    change(&tensors, &graph)
    graph.add(.unidirectionalSequenceLSTM, tensors, [graph.output(.float32, [])], options: options)
    return try graph.session(options: RuntimeOptions(threads: threads))
  }

  /// Returns a session of a quantized LSTM with zero weights except for the biases of the cell gate, so that its
  /// results are predictable.
  func integerSession(zeroPoint: Int32, bias: Int32, hidden: Bool = true) throws -> Session {
    var graph = TestGraph()
    var tensors = [Int?](repeating: nil, count: 20)
    tensors[0] = graph.input(.int8, shape, scale: 0.01, zeroPoint: 3)
    for gate in 0..<4 {
      tensors[1 + gate] = graph.constant(
        [Int8](repeating: 0, count: cells * inputs), shape: [cells, inputs], scale: 0.01)
      tensors[5 + gate] = graph.constant(
        [Int8](repeating: 0, count: cells * cells), shape: [cells, cells], scale: 0.01)
      tensors[12 + gate] = graph.constant([Int32](repeating: gate == 2 ? bias : 0, count: cells))
    }
    tensors[18] = graph.variable(.int8, [batches, cells], scale: 0x1p-7, zeroPoint: zeroPoint)
    tensors[19] = graph.variable(.int16, [batches, cells], scale: 0x1p-11)
    let intermediates = (0..<4).map { _ in graph.tensor(.int16, [0], scale: 0x1p-12) }
    let last = graph.tensor(.int8, [0], scale: hidden ? 0x1p-7 : nil, zeroPoint: zeroPoint)
    change(&tensors, &graph)
    graph.add(
      .unidirectionalSequenceLSTM, tensors, [graph.output(.int8, [], scale: 0x1p-7, zeroPoint: zeroPoint)],
      options: options, version: 3, intermediates: intermediates + [last])
    return try graph.session()
  }
}
