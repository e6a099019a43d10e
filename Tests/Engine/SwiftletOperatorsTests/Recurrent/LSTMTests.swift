import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("LSTM")
struct LSTMTests {
  /// Returns a session of one cell whose gates read the input with weight 1 and ignore the previous output.
  private func basic(variable: Bool) throws -> Session {
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 1])
    let former = variable ? graph.variable(.float32, [1, 1]) : graph.input(.float32, [1, 1])
    let weights = graph.constant([Float(1), 0, 1, 0, 1, 0, 1, 0], shape: [4, 2])
    let bias = graph.constant([Float](repeating: 0, count: 4))
    let cells = variable ? graph.variable(.float32, [1, 1]) : graph.input(.float32, [1, 1])
    graph.add(
      .lstm, [data, former, weights, bias, cells], (0..<4).map { _ in graph.output(.float32, []) },
      options: LSTMOptions.with { [$0.fusedActivation(.tanh), $0.kernelType(.basic)] }, version: 2)
    return try graph.session()
  }

  @Test("updates one cell by the formula in its basic form")
  func computesBasicForm() throws {
    let session = try basic(variable: false)
    let one = try Tensor([Float(1)], shape: [1, 1])
    let result = try session.run([one, Tensor([Float(7)], shape: [1, 1]), Tensor([Float(0.5)], shape: [1, 1])])
    let sigmoid: Float = 0.731_058_6
    let cell = sigmoid * 0.761_594_2 + sigmoid * 0.5
    #expect(abs(try result[1].values(as: Float.self)[0] - cell) < 1e-6)
    #expect(abs(try result[0].values(as: Float.self)[0] - sigmoid * tanhf(cell)) < 1e-6)
    #expect(try result[2].values() == [Float(1), 7])
    #expect(try result[3].values() == [Float](repeating: 1, count: 4))
  }

  @Test("in its basic form keeps its state if it is variable")
  func keepsBasicState() throws {
    let session = try basic(variable: true)
    let one = try Tensor([Float(1)], shape: [1, 1])
    let first = try session.run([one])
    let second = try session.run([one])
    #expect(first[1] != second[1])
    #expect(try second[2].values(as: Float.self)[1] == first[0].values()[0])
    session.resetState()
    #expect(try session.run([one]) == first)
  }

  /// Two cells whose gates read their previous output.
  @Test("in its basic form keeps the state of each batch")
  func keepsBasicBatches() throws {
    var generator = SplitMix64(state: 7)
    let weights = (0..<24).map { _ in Float.random(in: -1...1, using: &generator) }
    func session(batches: Int) throws -> Session {
      var graph = TestGraph()
      let data = graph.input(.float32, [batches, 1])
      let former = graph.variable(.float32, [batches, 2])
      let products = graph.constant(weights, shape: [8, 3])
      let bias = graph.constant([Float](repeating: 0.1, count: 8))
      let cells = graph.variable(.float32, [batches, 2])
      graph.add(
        .lstm, [data, former, products, bias, cells], (0..<4).map { _ in graph.output(.float32, []) },
        options: LSTMOptions.with { [$0.fusedActivation(.tanh), $0.kernelType(.basic)] }, version: 2)
      return try graph.session()
    }
    let together = try session(batches: 3)
    let alone = try (0..<3).map { _ in try session(batches: 1) }
    for call in 0..<3 {
      let values = (0..<3).map { Float(call) - Float($0) / 2 }
      let results = try together.run([try Tensor(values, shape: [3, 1])])
      for batch in 0..<3 {
        let expected = try alone[batch].run([try Tensor([values[batch]], shape: [1, 1])])
        for (result, one) in zip(results.prefix(2), expected) {
          #expect(try Array(result.values(as: Float.self)[2 * batch..<2 * batch + 2]) == one.values(as: Float.self))
        }
      }
    }
  }

  @Test("equals one step of a sequence in its full form")
  func matchesSequence() throws {
    var generator = SplitMix64(state: 3)
    var graph = TestGraph()
    let step = graph.input(.float32, [2, 3])
    let sequence = graph.input(.float32, [2, 1, 3])
    var tensors = [Int?](repeating: nil, count: 20)
    func random(_ count: Int) -> [Float] { (0..<count).map { _ in Float.random(in: -1...1, using: &generator) } }
    for gate in 0..<4 {
      tensors[1 + gate] = graph.constant(random(12), shape: [4, 3])
      tensors[5 + gate] = graph.constant(random(16), shape: [4, 4])
      tensors[12 + gate] = graph.constant(random(4))
    }
    for (kind, data) in [(BuiltinOperator.lstm, step), (.unidirectionalSequenceLSTM, sequence)] {
      tensors[0] = data
      tensors[18] = graph.variable(.float32, [2, 4])
      tensors[19] = graph.variable(.float32, [2, 4])
      graph.add(
        kind, tensors, [graph.output(.float32, [])],
        options: kind == .lstm
          ? LSTMOptions.with { [$0.fusedActivation(.tanh)] }
          : UnidirectionalSequenceLSTMOptions.with { [$0.fusedActivation(.tanh)] })
    }
    let session = try graph.session()
    for _ in 0..<3 {
      let values = random(6)
      let result = try session.run([Tensor(values, shape: [2, 3]), Tensor(values, shape: [2, 1, 3])])
      #expect(result[0].bytes == result[1].bytes)
    }
  }

  @Test("rejects a kernel type that the format does not define, and sequences")
  func refuses() {
    var graph = TestGraph()
    let inputs = (0..<5).map { _ in graph.input(.float32, [1, 1]) }
    graph.add(
      .lstm, inputs, (0..<4).map { _ in graph.output(.float32, []) },
      options: LSTMOptions.with { [$0.kernelType(code: 2)] })
    #expect(throws: RuntimeError.self) { try graph.session() }
  }
}

@Suite("BIDIRECTIONAL_SEQUENCE_LSTM")
struct BidirectionalSequenceLSTMTests {
  private func session(merged: Bool) throws -> Session {
    var generator = SplitMix64(state: 9)
    func random(_ count: Int) -> [Float] { (0..<count).map { _ in Float.random(in: -1...1, using: &generator) } }
    var graph = TestGraph()
    var tensors = [Int?](repeating: nil, count: 48)
    tensors[0] = graph.input(.float32, [1, 4, 3])
    // Both directions have the same weights.
    for gate in 0..<4 {
      tensors[1 + gate] = graph.constant(random(6), shape: [2, 3])
      tensors[5 + gate] = graph.constant(random(4), shape: [2, 2])
      tensors[12 + gate] = graph.constant(random(2))
      tensors[18 + gate] = tensors[1 + gate]
      tensors[22 + gate] = tensors[5 + gate]
      tensors[29 + gate] = tensors[12 + gate]
    }
    for index in 35...38 { tensors[index] = graph.variable(.float32, [1, 2]) }
    graph.add(
      .bidirectionalSequenceLSTM, tensors, (0..<(merged ? 1 : 2)).map { _ in graph.output(.float32, []) },
      options: BidirectionalSequenceLSTMOptions.with {
        [$0.fusedActivation(.tanh), $0.mergeOutputs(merged), $0.timeMajor(false)]
      })
    return try graph.session()
  }

  @Test("computes backward the same as forward for the reversed sequence")
  func mirrors() throws {
    let rows: [[Float]] = [[1, 2, 3], [0, -1, 0.5], [0.3, 0, 0], [-1, 1, -1]]
    let ahead = try session(merged: false).run([Tensor(rows.flatMap { $0 }, shape: [1, 4, 3])])
    let back = try session(merged: false).run([Tensor(rows.reversed().flatMap { $0 }, shape: [1, 4, 3])])
    func steps(_ tensor: Tensor) throws -> [[Float]] {
      let values: [Float] = try tensor.values()
      return stride(from: 0, to: values.count, by: 2).map { Array(values[$0..<($0 + 2)]) }
    }
    #expect(try steps(ahead[1]) == steps(back[0]).reversed())
    #expect(try steps(ahead[0]) == steps(back[1]).reversed())
  }

  @Test("concatenates both directions if it merges them")
  func merges() throws {
    let data = try Tensor((0..<12).map { Float($0) / 10 }, shape: [1, 4, 3])
    let apart = try session(merged: false).run([data]).map { try $0.values(as: Float.self) }
    let merged: [Float] = try session(merged: true).run([data])[0].values()
    for step in 0..<4 {
      #expect(Array(merged[(4 * step)..<(4 * step + 2)]) == Array(apart[0][(2 * step)..<(2 * step + 2)]))
      #expect(Array(merged[(4 * step + 2)..<(4 * step + 4)]) == Array(apart[1][(2 * step)..<(2 * step + 2)]))
    }
  }

  @Test("rejects a number of inputs that the format does not define")
  func refusesInputCount() {
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 1, 1])
    graph.add(
      .bidirectionalSequenceLSTM, [data], [graph.output(.float32, [])],
      options: BidirectionalSequenceLSTMOptions.with { [$0.mergeOutputs(true)] })
    #expect(throws: RuntimeError.self) { try graph.session() }
  }
}
