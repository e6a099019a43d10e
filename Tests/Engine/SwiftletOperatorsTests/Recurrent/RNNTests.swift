import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Returns a layer of one unit: `state = activation(input + state / 2 + 1)`.
private func layer(
  _ kind: BuiltinOperator, shape: [Int], activation: Int8 = 1, isTimeMajor: Bool = false,
  change: (inout [Int?], inout TestGraph) -> Void = { _, _ in }
) throws -> Session {
  var graph = TestGraph()
  let data = graph.input(.float32, shape)
  let batches = isTimeMajor ? shape[1] : shape[0]
  var inputs: [Int?] = [
    data, graph.constant([Float(1)], shape: [1, 1]), graph.constant([Float(0.5)], shape: [1, 1]),
    graph.constant([Float(1)]), graph.variable(.float32, [batches, 1]),
  ]
  change(&inputs, &graph)
  let options =
    kind == .rnn
    ? RNNOptions.with { [$0.fusedActivation(code: activation)] }
    : SequenceRNNOptions.with { [$0.timeMajor(isTimeMajor), $0.fusedActivation(code: activation)] }
  graph.add(kind, inputs, [graph.output(.float32, [])], options: options)
  return try graph.session()
}

@Suite("RNN and UNIDIRECTIONAL_SEQUENCE_RNN")
struct RNNTests {
  @Test("adds input, previous state, and bias, and keeps its state")
  func keepsState() throws {
    let session = try layer(.rnn, shape: [2, 1])
    let data = try Tensor([Float(1), -4], shape: [2, 1])
    #expect(try session.run([data])[0].values() == [Float(2), 0])
    #expect(try session.run([data])[0].values() == [Float(3), 0])
    session.resetState()
    #expect(try session.run([data])[0].values() == [Float(2), 0])
  }

  @Test("processes a sequence")
  func goesThroughSequence() throws {
    let session = try layer(.unidirectionalSequenceRNN, shape: [1, 3, 1])
    #expect(try session.run([Tensor([Float(1), 0, 2], shape: [1, 3, 1])])[0].values() == [Float(2), 2, 4])
  }

  @Test("supports time-major input")
  func takesTimeFirst() throws {
    let session = try layer(.unidirectionalSequenceRNN, shape: [2, 2, 1], isTimeMajor: true)
    #expect(try session.run([Tensor([Float(1), 5, 0, 0], shape: [2, 2, 1])])[0].values() == [Float(2), 6, 2, 4])
  }

  @Test("rejects a state that isn't variable or has another shape, and inconsistent weights")
  func refuses() {
    #expect(throws: RuntimeError.self) {
      try layer(.rnn, shape: [2, 1]) { $0[4] = $1.constant([Float(0), 0], shape: [2, 1]) }
    }
    #expect(throws: RuntimeError.self) { try layer(.rnn, shape: [2, 1]) { $0[4] = $1.variable(.float32, [1, 1]) } }
    #expect(throws: RuntimeError.self) { try layer(.rnn, shape: [2, 3]) }
    #expect(throws: RuntimeError.self) { try layer(.rnn, shape: [2, 1, 1]) }
    #expect(throws: RuntimeError.self) { try layer(.rnn, shape: [2, 1], activation: 17) }
  }
}

@Suite("BIDIRECTIONAL_SEQUENCE_RNN")
struct BidirectionalSequenceRNNTests {
  /// Returns a session with both directions as above; the backward one has no bias.
  private func session(
    merged: Bool, sharesState: Bool = false, more: (inout TestGraph) -> [Int?] = { _ in [] }
  ) throws -> Session {
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 3, 1])
    let one = graph.constant([Float(1)], shape: [1, 1])
    let half = graph.constant([Float(0.5)], shape: [1, 1])
    var inputs: [Int?] = [
      data, one, half, graph.constant([Float(1)]), graph.variable(.float32, [1, 1]), one, half,
      graph.constant([Float(0)]),
      graph.variable(.float32, [1, 1]),
    ]
    if sharesState { inputs[8] = inputs[4] }
    inputs += more(&graph)
    let outputs = (0..<(merged ? 1 : 2)).map { _ in graph.output(.float32, []) }
    graph.add(
      .bidirectionalSequenceRNN, inputs, outputs,
      options: BidirectionalSequenceRNNOptions.with { [$0.fusedActivation(.none), $0.mergeOutputs(merged)] })
    return try graph.session()
  }

  @Test("processes the sequence from both ends")
  func goesBothWays() throws {
    let data = try Tensor([Float(1), 0, 2], shape: [1, 3, 1])
    let apart = try session(merged: false).run([data])
    #expect(try apart[0].values() == [Float(2), 2, 4])
    #expect(try apart[1].values() == [Float(1.5), 1, 2])
    let merged = try session(merged: true).run([data])
    #expect(try merged[0].values() == [Float(2), 1.5, 2, 1, 4, 2])
    #expect(merged[0].shape == [1, 3, 2])
  }

  @Test("adds an auxiliary input with weights, and processes one without weights backward")
  func takesAuxiliaryInput() throws {
    let data = try Tensor([Float(1), 0, 2], shape: [1, 3, 1])
    let other = try Tensor([Float(10), 20, 30], shape: [1, 3, 1])
    let crossed = try session(merged: false) {
      let weights = $0.constant([Float(0.1)], shape: [1, 1])
      return [$0.input(.float32, [1, 3, 1]), weights, weights]
    }
    #expect(try crossed.run([data, other])[0].values() == [Float(3), 4.5, 8.25])
    let stacked = try session(merged: false) { [$0.input(.float32, [1, 3, 1]), nil, nil] }
    let result = try stacked.run([data, other])
    #expect(try result[0].values() == [Float(2), 2, 4])
    #expect(try result[1].values() == [Float(27.5), 35, 30])
  }

  @Test("rejects one state for both directions")
  func refusesSharedState() {
    let error = #expect(throws: RuntimeError.self) { try session(merged: true, sharesState: true) }
    #expect(error?.code == .invalidModel && error?.location?.operatorName == "BIDIRECTIONAL_SEQUENCE_RNN")
  }

  @Test("rejects auxiliary weights for one direction only")
  func refusesHalf() {
    #expect(throws: RuntimeError.self) {
      try session(merged: false) { [$0.input(.float32, [1, 3, 1]), $0.constant([Float(1)], shape: [1, 1]), nil] }
    }
  }
}
