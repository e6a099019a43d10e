import Testing

@testable import SwiftletEngine

@Suite("Dead code elimination")
struct DeadCodeEliminationTests {
  /// Returns the graph a → b → c, in which d also reads b.
  private func graph(kept: [Int]) -> PassGraph {
    var graph = PassGraph()
    for _ in 0..<5 { _ = graph.value() }
    graph.add("b", StubPlain(), [0], [1])
    graph.add("c", StubPlain(), [1, nil], [2])
    graph.add("d", StubPlain(), [1], [3, 4])
    graph.kept = kept
    return graph
  }

  @Test(
    "keeps nodes that contribute to a kept value, in order",
    arguments: [
      ([2], ["b", "c"]), ([3], ["b", "d"]), ([4], ["b", "d"]), ([1], ["b"]), ([2, 4], ["b", "c", "d"]), ([0], []),
      ([], []),
    ] as [([Int], [String])])
  func needed(kept: [Int], names: [String]) {
    #expect(graph(kept: kept).names(after: DeadCodeElimination.run) == names)
  }

  @Test("keeps nodes with side effects, and their inputs")
  func effects() {
    var graph = graph(kept: [])
    graph.nodes[1].operation = StubPlain(isPure: false)
    #expect(graph.names(after: DeadCodeElimination.run) == ["b", "c"])
  }

  @Test("keeps nodes that read a variable, because they may write it")
  func variables() {
    var graph = graph(kept: [])
    graph.makeVariable(0)
    #expect(graph.names(after: DeadCodeElimination.run) == ["b"])
    graph.makeVariable(1)
    #expect(graph.names(after: DeadCodeElimination.run) == ["b", "c", "d"])
    // A variable that is only written as an output has no effect.
    graph.values.variables = ValueMap()
    graph.makeVariable(2)
    #expect(graph.names(after: DeadCodeElimination.run).isEmpty)
  }
}
