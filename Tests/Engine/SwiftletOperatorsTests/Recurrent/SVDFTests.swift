import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Returns a layer of two filters over one input, with a memory of three steps.
private func layer(
  rank: Int32, activation: Int8 = 0, batches: Int = 1, change: (inout [Int?], inout TestGraph) -> Void = { _, _ in }
) throws -> Session {
  var graph = TestGraph()
  let data = graph.input(.float32, [batches, 1])
  var inputs: [Int?] = [
    data, graph.constant([Float(1), 10], shape: [2, 1]),
    graph.constant([Float(1), 2, 3, 0, 0, 1], shape: [2, 3]), nil, graph.variable(.float32, [batches, 6]),
  ]
  change(&inputs, &graph)
  graph.add(
    .svdf, inputs, [graph.output(.float32, [])],
    options: SVDFOptions.with { [$0.rank(rank), $0.fusedActivation(code: activation)] })
  return try graph.session()
}

@Suite("SVDF")
struct SVDFTests {
  private func run(_ session: Session, _ values: Float...) throws -> [Float] {
    try session.run([Tensor(values, shape: [values.count, 1])])[0].values()
  }

  @Test("weights its memory, filter by filter")
  func remembers() throws {
    let session = try layer(rank: 1)
    let steps: [(input: Float, output: [Float])] = [
      (1, [3, 10]), (2, [2 + 6, 20]), (4, [1 + 4 + 12, 40]), (0, [2 + 8, 0]),
    ]
    for (input, output) in steps { #expect(try run(session, input) == output) }
    session.resetState()
    #expect(try run(session, 1) == [3, 10])
  }

  @Test("adds the filters of a unit, then bias and activation")
  func addsFilters() throws {
    #expect(try run(layer(rank: 2), 1) == [13])
    let biased = try layer(rank: 2, activation: 1) { $0[3] = $1.constant([Float(-20)]) }
    #expect(try run(biased, 1) == [0])
    let sum: Float = 2 + 6 + 20 - 20
    #expect(try run(biased, 2) == [sum])
  }

  @Test("keeps the memories of batches separate")
  func keepsBatchesApart() throws {
    let session = try layer(rank: 1, batches: 2)
    #expect(try run(session, 1, 5) == [3, 10, 15, 50])
    #expect(try run(session, 1, 0) == [5, 10, 10, 0])
  }

  @Test(
    "rejects a rank that doesn't divide the filters, and inconsistent shapes", arguments: [0, -1, 3, 4] as [Int32])
  func refusesRank(rank: Int32) {
    #expect(throws: RuntimeError.self) { try layer(rank: rank) }
  }

  @Test("rejects a state that is not variable or of another shape")
  func refusesState() {
    #expect(throws: RuntimeError.self) {
      try layer(rank: 1) { $0[4] = $1.constant([Float](repeating: 0, count: 6), shape: [1, 6]) }
    }
    #expect(throws: RuntimeError.self) { try layer(rank: 1) { $0[4] = $1.variable(.float32, [1, 5]) } }
    #expect(throws: RuntimeError.self) { try layer(rank: 1) { $0[3] = $1.constant([Float(1)]) } }
  }
}
