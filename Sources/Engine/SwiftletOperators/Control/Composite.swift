import SwiftletEngine
import SwiftletSchema

/// STABLEHLO_COMPOSITE: an operation that the model spells out in a subgraph, which takes its place.
///
/// - Types: those of the subgraph.
/// - Source: operator 206 of the model format.
struct CompositeOperator: InlinedOperator {
  static var identity: OperatorIdentity {
    // The bound of the operators in its place.
    OperatorIdentity(.stablehloComposite, versions: 1...1, floatError: 1e-6, types: .one(.any, to: .any))
  }

  let subgraph: Int

  init(parsing node: NodeReader) throws {
    subgraph = try node.subgraph(try node.options[StableHLOCompositeOptions.decompositionSubgraphIndex])
  }
}

/// An operator whose place the operators of a subgraph take when the graph is built.
protocol InlinedOperator: Operator {
  var subgraph: Int { get }
}

extension InlinedOperator {
  var role: OperatorRole { .standsFor(subgraph: subgraph) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    throw node.invalid("stands for its subgraph, which was not put in its place")
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    throw context.node.invalid("stands for its subgraph, which was not put in its place")
  }
}
