import SwiftletEngine
import SwiftletSchema

/// CALL: the operators of a subgraph, which take this operator's place.
///
/// - Types: those of the subgraph.
/// - Source: operator 31 of the model format, which the reference runtime has no kernel for.
struct CallOperator: InlinedOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.call, versions: 1...1, types: .one(.any, to: .any))
  }

  let subgraph: Int

  init(parsing node: NodeReader) throws { subgraph = try node.subgraph(try node.options[CallOptions.subgraph]) }
}
