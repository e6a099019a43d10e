import SwiftletEngine
import SwiftletSchema

/// ASSIGN_VARIABLE: keeps a tensor under a variable's name, for later nodes and later runs.
///
/// - Types: every type of whole bytes.
/// - Source: operator 144 of the model format.
struct AssignVariableOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .assignVariable, versions: 1...1, types: .one(.variableHandle, .plain, to: []))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2, outputs: 0...0) }

  var isPure: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let variable = try ResourceVariable(context, input: 0, value: try context.node.input(1))
    let source = try context.inputSlot(1)
    return PreparedOperator(stages: variable.assigning(source))
  }
}
