import SwiftletSchema

/// READ_VARIABLE: the value that was assigned to a variable last.
///
/// - Shapes: the output's declared shape; the variable must hold as many bytes.
/// - Types: every type of whole bytes.
/// - Throws: `invalidInput` in a run when nothing was assigned, or a value of another type or size.
/// - Source: operator 143 of the model format.
struct ReadVariableOperator: Operator {
  static let identity = OperatorIdentity(.readVariable, versions: 1...1, types: .one(.variableHandle, to: .plain))

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1) }

  /// What it reads changes from run to run.
  var isPure: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try node.output(0).shape] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let variable = try ResourceVariable(context, input: 0, value: try context.node.output(0))
    let destination = try context.outputSlot(0)
    return PreparedOperator { run, _ in try variable.read(into: run.pointer(destination), run) }
  }
}
