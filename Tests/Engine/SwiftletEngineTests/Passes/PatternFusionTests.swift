import SwiftletBase
import SwiftletSchema
import Testing

@testable import SwiftletEngine

/// The function that the pattern of these tests replaces: a root that reads a value and a function of it.
private struct StubFunction: StubOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.custom("Function"), versions: 1...1, types: .one(.any, to: .any))
  }
  var shape: Shape = [2, 3]
  func inferShapes(_ node: NodeView) throws -> [Shape] { [shape] }
}

private struct StubInner: StubOperator {
  var isPure = true
}

private struct StubRoot: StubOperator {}

private struct StubPattern: OperatorPattern {
  let roots: [any Operator.Type] = [StubRoot.self]
  var shape: Shape = [2, 3]
  var function: (any Operator)?
  /// Whether the value that `Inner` reads is an input of the replacement.
  var readsValue = true

  func replacement(of root: PatternNode, in graph: PatternGraph) throws -> PatternReplacement? {
    guard let inner = graph.node(giving: root.inputs.last ?? nil), inner.operation is StubInner,
      let source = inner.inputs.first ?? nil
    else { return nil }
    let input = function.map { PatternReplacement.Input.function($0, of: source) } ?? .value(source)
    return PatternReplacement(StubFunction(shape: shape), readsValue ? [input] : [])
  }
}

/// `root(x, inner(x))` between two other nodes.
private let pattern: PassGraph = {
  var graph = PassGraph()
  for _ in 0..<5 { _ = graph.value() }
  graph.add("first", StubPlain(), [0], [1])
  graph.add("inner", StubInner(), [1], [2])
  graph.add("root", StubRoot(), [1, 2], [3])
  graph.add("last", StubPlain(), [3], [4])
  graph.kept = [4]
  return graph
}()

@Suite("Fusion of subgraphs")
struct PatternFusionTests {
  private func nodes(
    _ graph: PassGraph, _ patterns: [any OperatorPattern] = [StubPattern()], isConstant: Bool = false
  ) throws -> [Node] {
    try graph.after { nodes, table, kept in
      try PatternFusion.run(&nodes, table, kept, patterns) { isConstant ? [] : [$0] }
    }
  }

  private func names(_ nodes: [Node]) -> [String] { nodes.map { $0.location.operatorName ?? "" } }

  @Test("a node of another operator takes the place of the last one, and has its number and its result")
  func replaced() throws {
    let nodes = try nodes(pattern)
    #expect(names(nodes) == ["first", "Function", "last"])
    #expect(nodes[1].inputs == [1] && nodes[1].outputs == [3] && nodes[1].number == pattern.nodes[2].number)
    #expect(nodes[1].location.operatorIndex == 2)
  }

  @Test("subgraphs one after the other are replaced")
  func chain() throws {
    var graph = pattern
    for _ in 0..<2 { _ = graph.value() }
    graph.nodes.removeLast()
    graph.add("inner", StubInner(), [3], [5])
    graph.add("root", StubRoot(), [3, 5], [6])
    graph.kept = [6]
    #expect(names(try nodes(graph)) == ["first", "Function", "Function"])
  }

  @Test("a function of an input is a node in front")
  func function() throws {
    let nodes = try nodes(pattern, [StubPattern(function: StubFunction())])
    #expect(names(nodes) == ["first", "Function", "Function", "last"])
    #expect(nodes[1].inputs == [1] && nodes[1].outputs == [5] && nodes[2].inputs == [5])
    #expect(Set(nodes.map(\.number)).count == 4)
    #expect(
      names(try self.nodes(pattern, [StubPattern(function: StubFunction())], isConstant: true)) == [
        "first", "Function", "last",
      ])
  }

  @Test("the first pattern that matches is taken")
  func precedence() throws {
    let patterns: [any OperatorPattern] = [
      StubPattern(shape: [1]), StubPattern(function: StubFunction()), StubPattern(),
    ]
    #expect(names(try nodes(pattern, patterns)).count == 4)
  }

  static let misses = [
    NearMiss("another root") { $0.nodes[2].operation = StubPlain() },
    NearMiss("another inner node") { $0.nodes[1].operation = StubPlain() },
    NearMiss("a root of two results") { $0.nodes[2].outputs = [3, $0.value()] },
    NearMiss("an inner node of two results") { $0.nodes[1].outputs = [2, $0.value()] },
    NearMiss("another type of the result") { $0.values.specs[3].elementType = .int32 },
    NearMiss("a kept value in between") { $0.kept = [2, 4] },
    NearMiss("another reader of a value in between") { $0.add("other", StubPlain(), [2], [$0.value()]) },
    NearMiss("a variable as input") { $0.makeVariable(1) },
    NearMiss("an inner node with effects") { $0.nodes[1].operation = StubInner(isPure: false) },
    NearMiss("another input of the inner node") { $0.nodes[1].inputs = [1, $0.value()] },
    NearMiss("another input of the root") { $0.nodes[2].inputs = [$0.value(), 2] },
    NearMiss("an input that is left out") { $0.nodes[1].inputs = [1, nil] },
  ]

  @Test("the nodes stay for", arguments: misses)
  func stays(_ miss: NearMiss) throws {
    let graph = miss.changing(pattern)
    #expect(try names(nodes(graph)) == names(graph.nodes))
  }

  @Test("the nodes stay if the replacement has another shape or reads nothing, and without patterns")
  func otherReplacement() throws {
    #expect(try names(nodes(pattern, [StubPattern(shape: [3, 2])])) == names(pattern.nodes))
    #expect(try names(nodes(pattern, [StubPattern(readsValue: false)])) == names(pattern.nodes))
    #expect(try names(nodes(pattern, [])) == names(pattern.nodes))
  }

  @Test("constants need no producer")
  func constants() throws {
    var graph = pattern
    let constant = graph.value()
    graph.nodes[1].inputs = [1, constant]
    graph.values.constants[constant] = ByteRegion([UInt8](repeating: 0, count: 24))
    #expect(try names(nodes(graph)) == ["first", "Function", "last"])
  }
}
