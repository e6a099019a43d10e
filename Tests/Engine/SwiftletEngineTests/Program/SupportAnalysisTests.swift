import SwiftletOperators
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

@Suite("Operators that reject their inputs")
struct SupportAnalysisTests {
  private func support(_ graph: TestGraph, _ others: [TestGraph] = [], _ options: RuntimeOptions = RuntimeOptions())
    throws
    -> ModelSupport
  {
    try graph.model(others).support(operators: OperatorCatalog.type(for:), options: options)
  }

  /// Adds an operator that adds two tensors of incompatible shapes, and returns the result.
  private func addMismatch(to graph: inout TestGraph) -> Int {
    let sum = graph.tensor(.float32, [2])
    graph.add(.add, [graph.input(.float32, [2]), graph.input(.float32, [3])], [sum])
    return sum
  }

  @Test("all of them are found, but not operators that only depend on them")
  func refusals() throws {
    var graph = TestGraph()
    let first = addMismatch(to: &graph), negated = graph.tensor(.float32, [2])
    graph.add(.neg, [first], [negated])
    let second = addMismatch(to: &graph)
    graph.addOutput(negated)
    graph.addOutput(second)
    let support = try support(graph)
    #expect(support.unsupportedOperators.map(\.index) == [0, 2] && support.error == nil && !support.isSupported)
    #expect(support.unsupportedOperators.allSatisfy { $0.name == "ADD" && $0.subgraph == 0 && !$0.reason.isEmpty })
    let error: RuntimeError? = thrownError { try CompiledModel(try graph.model()) }
    #expect(error?.message == support.unsupportedOperators[0].reason && error?.location?.operatorIndex == 0)
  }

  @Test("operators of subgraphs are found too, unless shapes are dynamic")
  func subgraphs() throws {
    var graph = TestGraph()
    graph.add(
      .ifElse, [graph.constant([true]), graph.input(.float32, [2]), graph.input(.float32, [3])],
      [graph.output(.float32, [2])], options: IfOptions.with { [$0.thenSubgraphIndex(1), $0.elseSubgraphIndex(1)] })
    var callee = TestGraph()
    callee.addOutput(addMismatch(to: &callee))
    let found = try support(graph, [callee]).unsupportedOperators
    #expect(found.map(\.subgraph) == [1] && found.map(\.index) == [0])
    callee.leaveOpen(1, [-1])
    #expect(try support(graph, [callee]).isSupported)
  }

  @Test("an operator that cannot be prepared is rejected only if its result is needed")
  func preparing() throws {
    // A sum of quantized values without scales.
    func graph(isNeeded: Bool) -> TestGraph {
      var graph = TestGraph()
      let x = graph.input(.int8, [2]), sum = graph.tensor(.int8, [2])
      graph.add(.add, [x, x], [sum], version: 2)
      graph.addOutput(isNeeded ? sum : x)
      return graph
    }
    let found = try support(graph(isNeeded: true)).unsupportedOperators
    #expect(found.map(\.index) == [0] && found.first?.reason.contains("has no quantization parameters") == true)
    #expect(try support(graph(isNeeded: false)).isSupported)
  }

  @Test("a survey ends at its limits of work and time")
  func limits() throws {
    var graph = TestGraph()
    graph.add(.neg, [graph.input(.float32, [2])], [graph.output(.float32, [2])])
    var options = RuntimeOptions()
    options.limits.loadWork = .nanoseconds(20_001)
    #expect(try support(graph, [], options).isSupported)
    options.limits.loadWork = .nanoseconds(20_000)
    let work = try support(graph, [], options)
    #expect(work.error?.code == .limitExceeded && work.unsupportedOperators.isEmpty && !work.isSupported)
    options.timeout = .zero
    options.limits.loadWork = .seconds(5)
    #expect(try support(graph, [], options).error?.code == .deadlineExceeded)
  }
}
