import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

@Suite("Runs of graphs with value-dependent shapes")
struct GraphExecutorTests {
  /// Returns a session that sums along an axis given by an input, and doubles the result.
  private func session() throws -> Session {
    var graph = TestGraph()
    let data = graph.input(.float32, [2, 3])
    let axis = graph.input(.int32, [1])
    let sum = graph.tensor(.float32, [])
    graph.add(.sum, [data, axis], [sum])
    graph.add(.add, [sum, sum], [graph.output(.float32, [])])
    return try graph.session()
  }

  private func run(_ session: Session, axis: Int32, _ factor: Float = 1) throws -> [Float] {
    try session.run([
      Tensor((1...6).map { Float($0) * factor }, shape: [2, 3]), Tensor([axis], shape: [1]),
    ])[0].values()
  }

  @Test("a run reuses compiled code while the values are the same")
  func reusesPieces() throws {
    let session = try session()
    #expect(try run(session, axis: 0) == [10, 14, 18])
    let piece = session.main.pieces[0].holder
    #expect(try run(session, axis: 0, 2) == [20, 28, 36])
    #expect(session.main.pieces[0].holder === piece)
    #expect(try run(session, axis: 1) == [12, 30])
    #expect(session.main.pieces[0].holder !== piece)
    #expect(session.outputs[0].shape == [2])
    #expect(try run(session, axis: 0) == [10, 14, 18])
  }

  @Test("a run that fails leaves the session usable")
  func survivesFailure() throws {
    let session = try session()
    #expect(throws: RuntimeError.self) { try run(session, axis: 5) }
    #expect(try run(session, axis: 0) == [10, 14, 18])
    #expect(throws: RuntimeError.self) { try run(session, axis: -7) }
    #expect(try run(session, axis: 1) == [12, 30])
  }

  @Test("code compiled after a control node is reused while result shapes stay the same")
  func reusesPiecesBehindControlNodes() throws {
    var graph = TestGraph()
    let condition = graph.input(.bool, [1])
    let x = graph.input(.float32, [2])
    let chosen = graph.tensor(.float32, [2])
    graph.add(
      .ifElse, [condition, x, x], [chosen],
      options: IfOptions.with { [$0.thenSubgraphIndex(1), $0.elseSubgraphIndex(2)] })
    graph.add(.add, [chosen, chosen], [graph.output(.float32, [2])])
    let session = try graph.session([.binary(.add), .binary(.mul)])
    func run(_ flag: Bool) throws -> [Float] {
      try session.run([Tensor([flag], shape: [1]), Tensor([Float(3), 4], shape: [2])])[0].values()
    }
    #expect(try run(true) == [12, 16])
    let pieces = session.main.pieces.map(\.holder)
    #expect(pieces.count == 2)
    #expect(try run(false) == [18, 32])
    #expect(zip(session.main.pieces, pieces).allSatisfy { $0.holder === $1 })
  }

  @Test("resizing discards code that was compiled for other shapes")
  func forgetsOnResize() throws {
    let session = try session()
    _ = try run(session, axis: 0)
    let result = try session.run([
      Tensor([Float(1), 2, 3, 4], shape: [4, 1]), Tensor([Int32(0)], shape: [1]),
    ])
    #expect(try result[0].values() == [Float(20)])
    #expect(result[0].shape == [1])
  }

  @Test("an input that is a constant of the model cannot be written")
  func refusesConstantInput() throws {
    var graph = TestGraph()
    let data = graph.constant([Float(1), 2])
    graph.addInput(data)
    graph.add(.add, [data, data], [graph.output(.float32, [2])])
    let session = try graph.session()
    #expect(throws: RuntimeError.self) { try session.withInput(0) { $0[0] = 1 } }
    try session.run()
    #expect(try session.withOutput(0, as: Float.self) { Array($0) } == [2, 4])
  }
}
