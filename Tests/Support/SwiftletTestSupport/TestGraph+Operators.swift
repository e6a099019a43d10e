package import SwiftletSchema

extension TestGraph {
  /// Returns a graph of two inputs and one operator.
  package static func binary(
    _ kind: BuiltinOperator, type: ElementType = .float32, shape: [Int] = [2]
  ) -> TestGraph {
    var graph = TestGraph()
    let left = graph.input(type, shape)
    let right = graph.input(type, shape)
    graph.add(kind, [left, right], [graph.output(type, shape)])
    return graph
  }
}
