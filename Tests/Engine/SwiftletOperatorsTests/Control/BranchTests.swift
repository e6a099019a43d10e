import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

private let firstTwo: WrittenOptions = IfOptions.with { [$0.thenSubgraphIndex(1), $0.elseSubgraphIndex(2)] }

@Suite("IF and STABLEHLO_CASE")
struct BranchTests {
  /// Returns a session that computes `(condition ? x + y : x × y)`, and then squares the result.
  private func branching(then: TestGraph = .binary(.add), otherwise: TestGraph = .binary(.mul)) throws -> Session {
    var graph = TestGraph()
    let condition = graph.input(.bool, [1])
    let x = graph.input(.float32, [2])
    let y = graph.input(.float32, [2])
    let chosen = graph.tensor(.float32, [2])
    graph.add(.ifElse, [condition, x, y], [chosen], options: firstTwo)
    graph.add(.mul, [chosen, chosen], [graph.output(.float32, [2])])
    return try graph.session([then, otherwise])
  }

  private func run(_ session: Session, _ condition: Bool) throws -> [Float] {
    try session.run([
      Tensor([condition], shape: [1]), Tensor([Float(2), 3], shape: [2]), Tensor([Float(5), 7], shape: [2]),
    ])[0].values()
  }

  @Test("runs the subgraph that the condition selects, in every run")
  func chooses() throws {
    let session = try branching()
    for condition in [true, false, false, true, true] {
      #expect(try run(session, condition) == (condition ? [49, 100] : [100, 441]))
    }
  }

  @Test("returns results whose shape depends on the branch")
  func givesAnyShape() throws {
    var sum = TestGraph()
    let x = sum.input(.float32, [2])
    _ = sum.input(.float32, [2])
    sum.add(
      .sum, [x, sum.constant([Int32(0)])], [sum.output(.float32, [1])],
      options: ReducerOptions.with { [$0.keepDimensions(true)] })
    let session = try branching(then: sum)
    #expect(try run(session, true) == [25])
    #expect(session.outputs[0].shape == [1])
    #expect(try run(session, false) == [100, 441])
    #expect(session.outputs[0].shape == [2])
  }

  @Test("passes inputs and constants through a branch")
  func passesThrough() throws {
    var through = TestGraph()
    _ = through.input(.float32, [2])
    through.addOutput(through.input(.float32, [2]))
    var fixed = TestGraph()
    _ = fixed.input(.float32, [2])
    _ = fixed.input(.float32, [2])
    fixed.addOutput(fixed.constant([Float(1), 2]))
    let session = try branching(then: through, otherwise: fixed)
    #expect(try run(session, true) == [25, 49])
    #expect(try run(session, false) == [1, 4])
  }

  @Test("accepts computed conditions and inputs, which later nodes can read too")
  func fitsBetweenNodes() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [1])
    let zero = graph.constant([Float(0)])
    let condition = graph.tensor(.bool, [1])
    graph.add(.less, [x, zero], [condition])
    let double = graph.tensor(.float32, [1])
    graph.add(.add, [x, x], [double])
    let chosen = graph.tensor(.float32, [1])
    graph.add(.ifElse, [condition, x, double], [chosen], options: firstTwo)
    graph.add(.sub, [chosen, double], [graph.output(.float32, [1])])
    let session = try graph.session([.binary(.add, shape: [1]), .binary(.mul, shape: [1])])
    #expect(try session.run([Tensor([Float(-3)], shape: [1])])[0].values() == [Float(-9 + 6)])
    #expect(try session.run([Tensor([Float(3)], shape: [1])])[0].values() == [Float(18 - 6)])
  }

  @Test("nests, and runs one subgraph for several nodes")
  func nests() throws {
    // Subgraph 3 itself chooses between 1 and 2.
    var nested = TestGraph()
    let inner = nested.input(.bool, [1])
    let left = nested.input(.float32, [2])
    let right = nested.input(.float32, [2])
    nested.add(.ifElse, [inner, left, right], [nested.output(.float32, [2])], options: firstTwo)
    var third = TestGraph()
    _ = third.input(.bool, [1])
    _ = third.input(.float32, [2])
    third.addOutput(third.input(.float32, [2]))
    var graph = TestGraph()
    let conditions = [graph.input(.bool, [1]), graph.input(.bool, [1])]
    let x = graph.input(.float32, [2])
    let y = graph.input(.float32, [2])
    let first = graph.tensor(.float32, [2])
    let outer = IfOptions.with { [$0.thenSubgraphIndex(3), $0.elseSubgraphIndex(4)] }
    graph.add(.ifElse, [conditions[0], conditions[1], x, y], [first], options: outer)
    graph.add(.ifElse, [conditions[1], conditions[0], first, y], [graph.output(.float32, [2])], options: outer)
    let session = try graph.session([.binary(.add), .binary(.mul), nested, third])
    for (one, other, expected) in [
      (true, true, [12, 17]), (true, false, [5, 7]), (false, true, [25, 49]), (false, false, [5, 7]),
    ] as [(Bool, Bool, [Float])] {
      let result = try session.run([
        Tensor([one], shape: [1]), Tensor([other], shape: [1]), Tensor([Float(2), 3], shape: [2]),
        Tensor([Float(5), 7], shape: [2]),
      ])
      #expect(try result[0].values() == expected, "\(one) \(other)")
    }
  }

  @Test("assigns variables in the branch that runs, in the order of the model")
  func assignsVariables() throws {
    func setting(_ value: Float) -> TestGraph {
      var graph = TestGraph()
      let handle = graph.input(.resource, [1])
      graph.add(.assignVariable, [handle, graph.constant([value])], [])
      return graph
    }
    var graph = TestGraph()
    let condition = graph.input(.bool, [1])
    let handle = graph.tensor(.resource, [1])
    graph.add(.varHandle, [], [handle], options: VarHandleOptions.with { [$0.sharedName("v")] })
    graph.add(.assignVariable, [handle, graph.constant([Float(1)])], [])
    graph.add(.readVariable, [handle], [graph.output(.float32, [1])])
    graph.add(.ifElse, [condition, handle], [], options: firstTwo)
    graph.add(.readVariable, [handle], [graph.output(.float32, [1])])
    let session = try graph.session([setting(2), setting(3)])
    for condition in [true, false, true] {
      let result = try session.run([Tensor([condition], shape: [1])])
      #expect(try result[0].values() == [Float(1)])
      #expect(try result[1].values() == [Float(condition ? 2 : 3)])
    }
  }

  @Test(
    "selects by index, and the last subgraph for indices out of range",
    arguments: [
      (0, [7, 10]), (1, [10, 21]), (2, [-3, -4]), (7, [-3, -4]), (-1, [-3, -4]), (.min, [-3, -4]),
    ] as [(Int32, [Float])])
  func choosesByNumber(number: Int32, expected: [Float]) throws {
    var graph = TestGraph()
    let inputs = [graph.input(.int32, [1]), graph.input(.float32, [2]), graph.input(.float32, [2])]
    graph.add(
      .stablehloCase, inputs, [graph.output(.float32, [2])],
      options: StableHLOCaseOptions.with { [$0.branchSubgraphIndices([1, 2, 3])] })
    let session = try graph.session([.binary(.add), .binary(.mul), .binary(.sub)])
    let result = try session.run([
      Tensor([number], shape: [1]), Tensor([Float(2), 3], shape: [2]), Tensor([Float(5), 7], shape: [2]),
    ])
    #expect(try result[0].values() == expected)
  }

  @Test("reports unsupported operators of every branch in one error")
  func reportsUnsupported() throws {
    var odd = TestGraph()
    let inputs = [odd.input(.float32, [2]), odd.input(.float32, [2])]
    odd.add(custom: "Nothing", inputs, [odd.output(.float32, [2])])
    let error = #expect(throws: RuntimeError.self) { try branching(then: odd, otherwise: odd) }
    #expect(error?.code == .unsupportedOperators)
    #expect(error?.message.contains("2 operators") == true)
  }

  @Test("rejects a condition with several elements, and branches that are inconsistent with the node")
  func refuses() throws {
    #expect(throws: RuntimeError.self) { try run(branching(then: .binary(.add, type: .int32)), true) }
    var short = TestGraph()
    short.addOutput(short.input(.float32, [2]))
    #expect(throws: RuntimeError.self) { try run(branching(then: short), true) }
    var silent = TestGraph()
    _ = silent.input(.float32, [2])
    _ = silent.input(.float32, [2])
    #expect(throws: RuntimeError.self) { try run(branching(then: silent), true) }
    var graph = TestGraph()
    let condition = graph.input(.bool, [2])
    let x = graph.input(.float32, [2])
    graph.add(.ifElse, [condition, x, x], [graph.output(.float32, [2])], options: firstTwo)
    let session = try graph.session([.binary(.add), .binary(.mul)])
    #expect(throws: RuntimeError.self) {
      try session.run([Tensor([true, false], shape: [2]), Tensor([Float(1), 2], shape: [2])])
    }
  }

  @Test("rejects subgraphs that don't exist, and an empty list")
  func refusesSubgraphs() {
    var graph = TestGraph()
    let condition = graph.input(.bool, [1])
    graph.add(.ifElse, [condition], [], options: IfOptions.with { [$0.thenSubgraphIndex(1), $0.elseSubgraphIndex(5)] })
    #expect(throws: RuntimeError.self) { try graph.session([TestGraph()]) }
    var other = TestGraph()
    let number = other.input(.int32, [1])
    other.add(.stablehloCase, [number], [], options: StableHLOCaseOptions.empty)
    #expect(throws: RuntimeError.self) { try other.session() }
  }
}
