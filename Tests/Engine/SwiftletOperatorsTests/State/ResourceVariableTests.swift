import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Adds its input to a variable, and returns the variable's old and new value. A second subgraph initializes it.
private struct Accumulator {
  var main = TestGraph()
  var start = TestGraph()

  init(count: Int = 2, first: [Float]? = nil, startName: String = "sum") {
    let data = main.input(.float32, [count])
    main.add(.callOnce, [], [], options: CallOnceOptions.with { [$0.initializationSubgraphIndex(1)] })
    let handle = Self.handle("sum", in: &main)
    let old = main.output(.float32, [count])
    main.add(.readVariable, [handle], [old])
    let new = main.output(.float32, [count])
    main.add(.add, [old, data], [new])
    main.add(.assignVariable, [handle, new], [])
    let again = Self.handle(startName, in: &start)
    start.add(.assignVariable, [again, start.constant(first ?? Array(repeating: 10, count: count))], [])
  }

  static func handle(_ name: String, container: String = "", in graph: inout TestGraph) -> Int {
    let handle = graph.tensor(.resource, [])
    graph.add(
      .varHandle, [], [handle], options: VarHandleOptions.with { [$0.container(container), $0.sharedName(name)] })
    return handle
  }

  func session(threads: Int = 1) throws -> Session {
    try main.session([start], options: RuntimeOptions(threads: threads))
  }
}

private func values(_ tensors: [Tensor]) throws -> [[Float]] { try tensors.map { try $0.values() } }

@Suite("Resource variables")
struct ResourceVariableTests {
  @Test("start with the values from the initializing subgraph, and keep their value from run to run")
  func keepValues() throws {
    let session = try Accumulator().session()
    let one = try Tensor([Float(1), 2], shape: [2])
    #expect(try values(session.run([one])) == [[10, 10], [11, 12]])
    #expect(try values(session.run([one])) == [[11, 12], [12, 14]])
    #expect(try values(session.run([one])) == [[12, 14], [13, 16]])
  }

  @Test("restart when the session is reset")
  func reset() throws {
    let session = try Accumulator().session()
    let one = try Tensor([Float(1), 2], shape: [2])
    _ = try session.run([one])
    _ = try session.run([one])
    session.resetState()
    #expect(try values(session.run([one])) == [[10, 10], [11, 12]])
  }

  /// Returns a session that assigns its first input, or the output of RANGE, to a variable and reads it back as a
  /// tensor of unknown shape, which has no dimensions in the file.
  private func openShape(countingUp: Bool) throws -> Session {
    var graph = TestGraph()
    let handle = Accumulator.handle("open", in: &graph)
    if countingUp {
      let limit = graph.input(.int32, [])
      let numbers = graph.tensor(.int32, [1])
      graph.add(
        .range, [graph.constant([Int32(0)], shape: []), limit, graph.constant([Int32(1)], shape: [])], [numbers])
      graph.add(.assignVariable, [handle, numbers], [])
    } else {
      graph.add(.assignVariable, [handle, graph.input(.int32, [2, 3])], [])
    }
    let read = graph.tensor(.int32, [])
    graph.add(.readVariable, [handle], [read])
    graph.add(.neg, [read], [graph.output(.int32, [])])
    return try graph.session()
  }

  @Test("are read in their actual shape if the file's is dynamic")
  func openShapes() throws {
    let given = try openShape(countingUp: false)
    for value: Int32 in [1, 2] {
      let result = try given.run([try Tensor(Array(repeating: value, count: 6), shape: [2, 3])])[0]
      #expect(result.shape == [2, 3])
      #expect(try result.values() == Array(repeating: -value, count: 6))
    }
    let counted = try openShape(countingUp: true)
    for limit: Int32 in [3, 1, 4, 4] {
      let result = try counted.run([try Tensor([limit], shape: [])])[0]
      #expect(try result.values() == (0..<limit).map { -$0 })
    }
  }

  @Test("throw if a dynamic shape is read before an assignment")
  func openShapeOfNothing() throws {
    var graph = TestGraph()
    let handle = Accumulator.handle("open", in: &graph)
    graph.add(.readVariable, [handle], [graph.output(.float32, [])])
    let session = try graph.session()
    let error = #expect(throws: RuntimeError.self) { try session.run([]) }
    #expect(error?.code == .invalidInput && error?.location?.operatorName == "READ_VARIABLE")
  }

  @Test("belong to one session")
  func belongToSession() throws {
    let accumulator = Accumulator()
    let model = try CompiledModel(try accumulator.main.model([accumulator.start]))
    let first = try Session(model)
    let second = try Session(model)
    let one = try Tensor([Float(1), 2], shape: [2])
    _ = try first.run([one])
    _ = try first.run([one])
    #expect(try values(second.run([one])) == [[10, 10], [11, 12]])
    #expect(try values(first.run([one])) == [[12, 14], [13, 16]])
  }

  @Test("throw if they are read before an assignment, and work afterward")
  func refuseReadBeforeAssignment() throws {
    let session = try Accumulator(startName: "another").session()
    let one = try Tensor([Float(1), 2], shape: [2])
    let error = #expect(throws: RuntimeError.self) { try session.run([one]) }
    #expect(error?.code == .invalidInput)
    #expect(error?.message.contains("'sum'") == true)
    #expect(error?.location?.operatorName == "READ_VARIABLE")
  }

  @Test("reject reads with another type or size than assigned")
  func refuseOtherType() throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [2])
    let handle = Accumulator.handle("v", in: &graph)
    graph.add(.assignVariable, [handle, data], [])
    var other = graph
    graph.add(.readVariable, [handle], [graph.output(.int32, [2])])
    #expect(throws: RuntimeError.self) { try graph.session().run([Tensor([Float(1), 2], shape: [2])]) }
    other.add(.readVariable, [handle], [other.output(.float32, [3])])
    #expect(throws: RuntimeError.self) { try other.session().run([Tensor([Float(1), 2], shape: [2])]) }
  }

  @Test("are distinguished by container and name")
  func areToldApart() throws {
    var graph = TestGraph()
    let inputs = (0..<3).map { _ in graph.input(.float32, [1]) }
    let handles = [
      Accumulator.handle("a", in: &graph), Accumulator.handle("a", container: "c", in: &graph),
      Accumulator.handle("b", in: &graph),
    ]
    let again = Accumulator.handle("a", in: &graph)
    for (handle, input) in zip(handles, inputs) { graph.add(.assignVariable, [handle, input], []) }
    for handle in handles + [again] { graph.add(.readVariable, [handle], [graph.output(.float32, [1])]) }
    let result = try graph.session().run((1...3).map { try Tensor([Float($0)], shape: [1]) })
    #expect(try values(result) == [[1], [2], [3], [1]])
  }

  @Test("count against the memory limit, all together")
  func countAgainstLimit() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [1000])
    for name in ["a", "b", "c"] { graph.add(.assignVariable, [Accumulator.handle(name, in: &graph), input], []) }
    var options = RuntimeOptions()
    options.limits.arenaBytes = 11_000
    let error = #expect(throws: RuntimeError.self) { try graph.session(options: options) }
    #expect(error?.code == .limitExceeded)
    options.limits.arenaBytes = 13_000
    _ = try graph.session(options: options).run([Tensor(Array(repeating: Float(1), count: 1000), shape: [1000])])
  }

  @Test("are read and assigned in the order of the model, with any number of threads", arguments: [1, 2, 4])
  func keepOrder(threads: Int) throws {
    // Each link reads the variable, assigns twice the value, and passes the old value on; the additions give the
    // threads something to overlap.
    let count = 40_000
    let links = 12
    var graph = TestGraph()
    let data = graph.input(.float32, [count])
    let handle = Accumulator.handle("chain", in: &graph)
    graph.add(.assignVariable, [handle, data], [])
    for _ in 0..<links {
      let old = graph.output(.float32, [count])
      graph.add(.readVariable, [handle], [old])
      let new = graph.tensor(.float32, [count])
      graph.add(.add, [old, old], [new])
      graph.add(.assignVariable, [handle, new], [])
    }
    let session = try graph.session(options: RuntimeOptions(threads: threads))
    let start = (0..<count).map { Float($0 % 13) }
    for _ in 0..<3 {
      let results = try session.run([try Tensor(start, shape: [count])])
      for (link, result) in results.enumerated() {
        let factor = Float(1 << link)
        #expect(try result.values() == start.map { $0 * factor })
      }
    }
  }

  @Test("are assigned even if nothing else reads the node")
  func areAssignedAlways() throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [2])
    let handle = Accumulator.handle("v", in: &graph)
    let before = graph.tensor(.float32, [2])
    graph.add(.assignVariable, [handle, data], [])
    graph.add(.readVariable, [handle], [before])
    graph.add(.add, [data, data], [graph.output(.float32, [2])])
    #expect(try values(graph.session().run([Tensor([Float(1), 2], shape: [2])])) == [[2, 4]])
  }

  @Test("reject an invalid handle")
  func refuseOtherHandle() {
    var graph = TestGraph()
    let data = graph.input(.int32, [1])
    graph.add(.readVariable, [data], [graph.output(.float32, [1])])
    #expect(throws: RuntimeError.self) { try graph.session() }
  }
}

@Suite("CALL_ONCE and STABLEHLO_COMPOSITE")
struct SubgraphCallTests {
  @Test("an initializing subgraph that does not exist is rejected")
  func refusesMissingSubgraph() {
    var graph = TestGraph()
    let data = graph.input(.float32, [1])
    graph.add(.callOnce, [], [], options: CallOnceOptions.with { [$0.initializationSubgraphIndex(3)] })
    graph.addOutput(data)
    #expect(throws: RuntimeError.self) { try graph.session() }
  }

  @Test("an initializing subgraph with inputs or outputs is rejected")
  func refusesInputs() {
    var graph = TestGraph()
    let data = graph.input(.float32, [1])
    graph.add(.callOnce, [], [], options: CallOnceOptions.with { [$0.initializationSubgraphIndex(1)] })
    graph.addOutput(data)
    var start = TestGraph()
    start.addOutput(start.input(.float32, [1]))
    #expect(throws: RuntimeError.self) { try graph.session([start]) }
  }

  @Test("a composite runs its subgraph each time it is called")
  func runsComposite() throws {
    var body = TestGraph()
    let left = body.input(.float32, [2])
    let right = body.input(.float32, [2])
    body.add(.sub, [left, right], [body.output(.float32, [2])])
    var graph = TestGraph()
    let first = graph.input(.float32, [2])
    let second = graph.input(.float32, [2])
    let middle = graph.tensor(.float32, [2])
    let composite = StableHLOCompositeOptions.with { [$0.name("my.sub"), $0.decompositionSubgraphIndex(1)] }
    graph.add(.stablehloComposite, [first, second], [middle], options: composite)
    graph.add(.stablehloComposite, [second, middle], [graph.output(.float32, [2])], options: composite)
    let result = try graph.session([body]).run([
      Tensor([Float(10), 20], shape: [2]), Tensor([Float(1), 2], shape: [2]),
    ])
    #expect(try values(result) == [[-8, -16]])
  }

  @Test("a composite that passes too few inputs to its subgraph is rejected")
  func refusesWrongInputCount() {
    var body = TestGraph()
    let left = body.input(.float32, [2])
    let right = body.input(.float32, [2])
    body.add(.sub, [left, right], [body.output(.float32, [2])])
    var graph = TestGraph()
    let first = graph.input(.float32, [2])
    graph.add(
      .stablehloComposite, [first], [graph.output(.float32, [2])],
      options: StableHLOCompositeOptions.with { [$0.decompositionSubgraphIndex(1)] })
    #expect(throws: RuntimeError.self) { try graph.session([body]) }
  }
}
