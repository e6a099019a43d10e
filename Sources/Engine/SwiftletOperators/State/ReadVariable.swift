import SwiftletEngine
import SwiftletSchema

/// READ_VARIABLE: the value that was assigned to a variable last.
///
/// - Shapes: the output's declared shape, and the variable must hold as many bytes; without dimensions, what was
///   assigned last has whatever shape it has, as writers leave unknown shapes out.
/// - Types: every type of whole bytes.
/// - Throws: `invalidInput` in a run when nothing was assigned, or a value of another type or size.
/// - Source: operator 143 of the model format.
struct ReadVariableOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.readVariable, versions: 1...1, types: .one(.variableHandle, to: .plain))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1) }

  /// What it reads changes from run to run.
  var isPure: Bool { false }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let declared = try node.output(0).shape
    guard declared.rank == 0 else { return [declared] }
    // The values of a variable's handle are what the variable says about itself.
    guard let shape = ResourceVariable.shape(try node.data(0)) else {
      throw RuntimeError(
        .invalidInput, "reads a variable before anything is assigned to it; assign a value of up to 8 axes first",
        location: node.node.location)
    }
    return [shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let variable = try ResourceVariable(context, input: 0, value: try context.node.output(0))
    let destination = try context.outputSlot(0)
    return PreparedOperator(stages: variable.reading(into: destination))
  }
}
