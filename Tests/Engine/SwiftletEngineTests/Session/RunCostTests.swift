import SwiftletOperators
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

/// Checks the work that runs count besides their operators, and what they keep for the next run.
@Suite("Work budget of runs")
struct RunCostTests {
  private func spent(_ session: Session) throws -> Double {
    try #require(Mirror(reflecting: session.environment.budget).descendant("spent") as? Double)
  }

  /// Returns a graph of one NEG of a vector.
  private func negation(_ size: Int) -> TestGraph {
    var graph = TestGraph()
    graph.add(.neg, [graph.input(.float32, [size])], [graph.output(.float32, [size])])
    return graph
  }

  @Test("every run of a program counts the work of its operators")
  func program() throws {
    let session = try negation(1000).session()
    for _ in 0..<3 {
      try session.run()
      #expect(try spent(session) == session.main.program.work && spent(session) > 0)
    }
    try session.resizeInput(at: 0, to: [10])
    try session.run()
    #expect(try spent(session) == session.main.program.work)
    #expect(try session.runTimed().count == 1 && spent(session) == session.main.program.work)
  }

  @Test("a subgraph counts a microsecond, copies of arguments and results, and its operators")
  func subgraph() throws {
    var graph = TestGraph()
    graph.add(
      .ifElse, [graph.constant([true]), graph.input(.float32, [100])], [graph.output(.float32, [100])],
      options: IfOptions.with { [$0.thenSubgraphIndex(1), $0.elseSubgraphIndex(1)] })
    let session = try graph.session([negation(100)])
    let inner = try CompiledModel(try negation(100).model()).program.work
    for _ in 0..<2 {
      try session.run()
      #expect(try spent(session) == 1000 + 0.5 * (400 + 400 + 400) + inner)
    }
    #expect(try session.runTimed().isEmpty)
  }

  @Test("value-dependent code is compiled and counted once for the same values")
  func deferred() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [6]), shape = graph.input(.int32, [2])
    let middle = graph.tensor(.float32, [2, 3])
    graph.add(.reshape, [x, shape], [middle])
    graph.add(.neg, [middle], [graph.output(.float32, [2, 3])])
    let session = try graph.session()
    func run(_ rows: Int32, _ columns: Int32) throws -> Double {
      _ = try session.run([
        Tensor([Float](repeating: 1, count: 6), shape: [6]), Tensor([rows, columns], shape: [2]),
      ])
      return try spent(session)
    }
    #expect(session.model.arenaOccupancy.deferredOperatorCount == 2 && session.model.operatorNames.isEmpty)
    let compiling = RunBudget.compilingWork(nodes: 2)
    let first = try run(2, 3), second = try run(2, 3)
    #expect(second > 0 && first == second + compiling)
    #expect(try run(3, 2) == first && run(3, 2) == second)
  }

  @Test("a subgraph that is called with another shape is compiled and counted again")
  func resizing() throws {
    // The body doubles the length of its value in every round.
    var condition = TestGraph()
    condition.add(
      .less, [condition.input(.int32, [1]), condition.constant([Int32(3)])], [condition.output(.bool, [1])])
    _ = condition.input(.float32, [1])
    var body = TestGraph()
    let count = body.input(.int32, [1]), value = body.input(.float32, [1])
    body.add(.add, [count, body.constant([Int32(1)])], [body.output(.int32, [1])])
    body.add(
      .concatenation, [value, value], [body.output(.float32, [2])], options: ConcatenationOptions.with { [$0.axis(0)] })
    var graph = TestGraph()
    graph.add(
      .whileLoop, [graph.input(.int32, [1]), graph.input(.float32, [1])],
      [graph.output(.int32, [1]), graph.output(.float32, [1])],
      options: WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(2)] })
    let session = try graph.session([condition, body])
    let tensors = try [Tensor([Int32(0)], shape: [1]), Tensor([Float(5)], shape: [1])]
    let results = try session.run(tensors)
    #expect(results[1].shape == [8] && results[1].bytes.count == 32)
    // Two new shapes for the two nodes of the body, three for the condition, in seven runs.
    let work = try spent(session)
    let compiling = 2 * RunBudget.compilingWork(nodes: 2) + 3 * RunBudget.compilingWork(nodes: 1)
    #expect(work > 7000 + compiling && work < 12_000 + compiling)
  }

  // MARK: State between runs

  /// Returns a session that reads a variable and then assigns its input; the initial value is 5.
  private func remembering() throws -> Session {
    func handle(_ graph: inout TestGraph) -> Int {
      let handle = graph.tensor(.resource, [])
      graph.add(.varHandle, [], [handle], options: VarHandleOptions.with { [$0.container(""), $0.sharedName("v")] })
      return handle
    }
    var first = TestGraph()
    first.add(.assignVariable, [handle(&first), first.constant([Float(5)])], [])
    var graph = TestGraph()
    graph.add(.callOnce, [], [], options: CallOnceOptions.with { [$0.initializationSubgraphIndex(1)] })
    let variable = handle(&graph)
    graph.add(.readVariable, [variable], [graph.output(.float32, [1])])
    graph.add(.assignVariable, [variable, graph.input(.float32, [1])], [])
    return try graph.session([first])
  }

  @Test("variables are initialized once, and again after a reset")
  func initialization() throws {
    let session = try remembering(), other = try remembering()
    func run(_ session: Session, _ value: Float) throws -> [Float] {
      try session.run([Tensor([value], shape: [1])])[0].values()
    }
    #expect(try [1, 2, 3].map { try run(session, $0) } == [[5], [1], [2]])
    session.resetState()
    #expect(try [4, 6].map { try run(session, $0) } == [[5], [4]])
    #expect(try run(other, 9) == [5])
    #expect(session.model.graph.initializationSubgraphs == [1])
  }

  @Test("an initializing subgraph has neither inputs nor outputs")
  func brokenInitialization() throws {
    for hasInput in [true, false] {
      var first = TestGraph()
      if hasInput { _ = first.input(.float32, [1]) } else { first.addOutput(first.constant([Float(1)])) }
      var graph = TestGraph()
      graph.add(.callOnce, [], [], options: CallOnceOptions.with { [$0.initializationSubgraphIndex(1)] })
      graph.addOutput(graph.input(.float32, [1]))
      let error: RuntimeError? = thrownError { try CompiledModel(try graph.model([first])) }
      #expect(error?.code == .invalidModel && error?.location?.subgraph == 1)
      #expect(
        error?.message == "the subgraph that gives variables their first values must have neither inputs nor outputs")
    }
  }

  // MARK: Constants folded at load

  @Test("a constant of exactly the limit is computed at load, and a larger one in the run")
  func foldedConstants() throws {
    var graph = TestGraph()
    graph.add(.neg, [graph.constant([Float](repeating: 3, count: 25))], [graph.output(.float32, [25])])
    func names(_ limit: Int) throws -> [String] {
      var options = RuntimeOptions()
      options.limits.foldedConstantBytes = limit
      let compiled = try CompiledModel(try graph.model(), options: options)
      #expect(try Session(compiled).run([])[0].values() == [Float](repeating: -3, count: 25))
      return compiled.operatorNames
    }
    #expect(try names(100) == [] && names(99) == ["NEG"])
  }

  @Test("operators that ignore their input's values are folded at load too")
  func valueless() throws {
    var graph = TestGraph()
    graph.add(
      .shape, [graph.input(.float32, [3, 4])], [graph.output(.int32, [2])],
      options: ShapeOptions.with { [$0.outputType(.int32)] })
    let compiled = try CompiledModel(try graph.model())
    #expect(compiled.operatorNames.isEmpty && compiled.packed.foldedByteCount == 8)
    #expect(
      try Session(compiled).run([Tensor([Float](repeating: 0, count: 12), shape: [3, 4])])[0].values() == [Int32(3), 4])
  }

  @Test("a constant input keeps its shape")
  func constantInput() throws {
    var graph = TestGraph()
    let constant = graph.constant([Float(1), 2])
    graph.addInput(constant)
    graph.add(.neg, [constant], [graph.output(.float32, [2])])
    let error: RuntimeError? = thrownError { try graph.session().resizeInput(at: 0, to: [3]) }
    #expect(error?.code == .invalidArgument)
    #expect(
      error?.message == "input 't0' float32[2] is a constant of the model and cannot be resized to [3]")
  }
}
