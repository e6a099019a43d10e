import SwiftletEngine
import SwiftletSchema

/// RANK: how many axes the input has, as a scalar.
///
/// - Types: input of any type; output int32.
/// - Source: operator 110 of the model format.
struct RankOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.rank, versions: 1...1, types: .one(.any, to: .int32))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1) }

  var readsInputValues: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [[]] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .storing([try context.node.input(0).shape.rank], context)
  }
}
