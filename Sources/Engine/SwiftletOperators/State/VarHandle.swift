import SwiftletEngine
import SwiftletSchema

/// VAR_HANDLE: names the variable that reading and assigning operators work on.
///
/// - Source: operator 142 of the model format. Handles of the same container and name are the same variable, in every
///   subgraph.
struct VarHandleOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.varHandle, versions: 1...1, types: .one([], to: .variableHandle))
  }

  private let key: StateKey
  var role: OperatorRole { .names(key) }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 0...0)
    key = .resource(
      container: try node.options[VarHandleOptions.container] ?? "",
      name: try node.options[VarHandleOptions.sharedName] ?? "")
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [[1]] }
  func prepare(_ context: PrepareContext) throws -> PreparedOperator { .empty }
}
