import SwiftletEngine
import SwiftletSchema

/// CALL_ONCE: runs a subgraph before a session's first run, to give variables their first values.
///
/// - Throws: `invalidModel` when the subgraph has inputs or outputs.
/// - Source: operator 129 of the model format.
struct CallOnceOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.callOnce, versions: 1...1, types: .one([], to: []))
  }

  private let subgraph: Int
  var role: OperatorRole { .initializes(subgraph: subgraph) }
  var isPure: Bool { false }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 0...0, outputs: 0...0)
    subgraph = try node.subgraph(try node.options[CallOnceOptions.initializationSubgraphIndex])
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [] }
  func prepare(_ context: PrepareContext) throws -> PreparedOperator { .empty }
}
