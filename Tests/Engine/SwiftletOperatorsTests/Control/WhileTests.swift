import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A loop over a counter and a tensor, until the counter reaches a limit.
private struct Loop {
  var limit: Int32 = 10
  var shape = [2]
  var body: (inout TestGraph, Int) -> Int = { graph, value in
    let result = graph.tensor(.float32, [2])
    graph.add(.add, [value, value], [result])
    return result
  }

  func session(
    options: RuntimeOptions = RuntimeOptions(), then more: (inout TestGraph, Int) -> Void = { $0.addOutput($1) }
  ) throws -> Session {
    var condition = TestGraph()
    let count = condition.input(.int32, [1])
    _ = condition.input(.float32, shape)
    condition.add(.less, [count, condition.constant([limit])], [condition.output(.bool, [1])])
    var round = TestGraph()
    let before = round.input(.int32, [1])
    let value = round.input(.float32, shape)
    round.add(.add, [before, round.constant([Int32(1)])], [round.output(.int32, [1])])
    round.addOutput(body(&round, value))
    var graph = TestGraph()
    let inputs = [graph.input(.int32, [1]), graph.input(.float32, shape)]
    let results = [graph.output(.int32, [1]), graph.tensor(.float32, shape)]
    graph.add(
      .whileLoop, inputs, results,
      options: WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(2)] })
    more(&graph, results[1])
    return try graph.session([condition, round], options: options)
  }
}

@Suite("WHILE")
struct WhileTests {
  private func run(_ session: Session, from start: Int32, _ values: [Float] = [1, 3]) throws -> [Tensor] {
    try session.run([Tensor([start], shape: [1]), Tensor(values, shape: [values.count])])
  }

  @Test("runs its body as long as the condition holds", arguments: [0, 3, 9, 10, 99] as [Int32])
  func loops(start: Int32) throws {
    let session = try Loop().session()
    for _ in 0..<2 {
      let result = try run(session, from: start)
      let factor = Float(1 << max(0, 10 - start))
      #expect(try result[0].values() == [max(start, 10)])
      #expect(try result[1].values() == [factor, 3 * factor])
    }
  }

  @Test("lets tensors grow between iterations, and later nodes accept the results")
  func grows() throws {
    let loop = Loop(limit: 3) { graph, value in
      let result = graph.tensor(.float32, [4])
      graph.add(.concatenation, [value, value], [result], options: ConcatenationOptions.with { [$0.axis(0)] })
      return result
    }
    let session = try loop.session { graph, value in
      graph.add(.add, [value, value], [graph.output(.float32, [2])])
    }
    for (start, repeats) in [(Int32(0), 8), (2, 2), (5, 1), (0, 8)] {
      let result = try run(session, from: start)
      #expect(try result[1].values() == (0..<repeats).flatMap { _ in [Float(2), 6] })
    }
  }

  @Test("may return its inputs in another order")
  func swaps() throws {
    var condition = TestGraph()
    let flag = condition.input(.float32, [1])
    _ = condition.input(.float32, [1])
    condition.add(.less, [flag, condition.constant([Float(5)])], [condition.output(.bool, [1])])
    var body = TestGraph()
    let left = body.input(.float32, [1])
    let right = body.input(.float32, [1])
    body.addOutput(right)
    body.addOutput(left)
    var graph = TestGraph()
    let inputs = [graph.input(.float32, [1]), graph.input(.float32, [1])]
    graph.add(
      .whileLoop, inputs, [graph.output(.float32, [1]), graph.output(.float32, [1])],
      options: WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(2)] })
    let result = try graph.session([condition, body]).run([
      Tensor([Float(1)], shape: [1]), Tensor([Float(7)], shape: [1]),
    ])
    #expect(try result[0].values() == [Float(7)])
    #expect(try result[1].values() == [Float(1)])
  }

  @Test("doesn't share memory between an input and an output")
  func copiesUntouchedInputs() throws {
    let session = try Loop().session()
    _ = try run(session, from: 99)
    try session.withInput(1, as: Float.self) { $0.update(repeating: -1) }
    #expect(try session.withOutput(1, as: Float.self) { Array($0) } == [1, 3])
  }

  @Test("keeps variables of its body between iterations and runs")
  func keepsVariables() throws {
    let loop = Loop(limit: 3) { graph, value in
      let handle = graph.tensor(.resource, [1])
      graph.add(.varHandle, [], [handle], options: VarHandleOptions.with { [$0.sharedName("total")] })
      let old = graph.tensor(.float32, [2])
      graph.add(.readVariable, [handle], [old])
      let new = graph.tensor(.float32, [2])
      graph.add(.add, [old, value], [new])
      graph.add(.assignVariable, [handle, new], [])
      return new
    }
    var start = TestGraph()
    let handle = start.tensor(.resource, [1])
    start.add(.varHandle, [], [handle], options: VarHandleOptions.with { [$0.sharedName("total")] })
    start.add(.assignVariable, [handle, start.constant([Float(0), 0])], [])
    var condition = TestGraph()
    let count = condition.input(.int32, [1])
    _ = condition.input(.float32, [2])
    condition.add(.less, [count, condition.constant([loop.limit])], [condition.output(.bool, [1])])
    var body = TestGraph()
    let before = body.input(.int32, [1])
    let value = body.input(.float32, [2])
    body.add(.callOnce, [], [], options: CallOnceOptions.with { [$0.initializationSubgraphIndex(3)] })
    body.add(.add, [before, body.constant([Int32(1)])], [body.output(.int32, [1])])
    body.addOutput(loop.body(&body, value))
    var graph = TestGraph()
    let inputs = [graph.input(.int32, [1]), graph.input(.float32, [2])]
    graph.add(
      .whileLoop, inputs, [graph.output(.int32, [1]), graph.output(.float32, [2])],
      options: WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(2)] })
    let session = try graph.session([condition, body, start])
    // 1, then 1 + 1, then 2 + 2; the next run starts with 4 in the variable.
    #expect(try run(session, from: 0)[1].values() == [Float(4), 12])
    #expect(try run(session, from: 2)[1].values() == [Float(5), 15])
    session.resetState()
    #expect(try run(session, from: 0)[1].values() == [Float(4), 12])
  }

  @Test("gives the same results for every thread count")
  func isDeterministic() throws {
    let values = (0..<5000).map { Float($0) / 10 }
    var loop = Loop()
    loop.shape = [5000]
    let alone = try run(loop.session(), from: 0, values)
    #expect(try run(loop.session(options: RuntimeOptions(threads: 4)), from: 0, values) == alone)
  }

  @Test("stops an endless loop")
  func stopsEndlessLoop() throws {
    var options = RuntimeOptions()
    options.limits.subgraphRuns = 51
    let session = try Loop(limit: 20).session(options: options)
    #expect(try run(session, from: 0)[0].values() == [Int32(20)])
    let error = #expect(throws: RuntimeError.self) { try run(session, from: -10) }
    #expect(error?.code == .limitExceeded)
    #expect(try run(session, from: 18)[1].values() == [Float(4), 12])
  }

  @Test("rejects a wrong number of outputs, and an invalid condition")
  func refuses() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [1])
    graph.add(
      .whileLoop, [input], [], options: WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(1)] })
    #expect(throws: RuntimeError.self) { try graph.session([TestGraph()]) }
    var other = TestGraph()
    let value = other.input(.float32, [1])
    other.add(
      .whileLoop, [value], [other.output(.float32, [1])],
      options: WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(1)] })
    var identity = TestGraph()
    identity.addOutput(identity.input(.float32, [1]))
    let session = try other.session([identity])
    #expect(throws: RuntimeError.self) { try session.run([Tensor([Float(1)], shape: [1])]) }
  }

  @Test("rejects subgraphs that call themselves")
  func refusesRecursion() {
    var graph = TestGraph()
    let value = graph.input(.float32, [1])
    graph.add(
      .whileLoop, [value], [graph.output(.float32, [1])],
      options: WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(1)] })
    #expect(throws: RuntimeError.self) { try graph.session([graph]) }
  }
}
