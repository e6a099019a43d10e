import SwiftletEngine
import SwiftletSchema

/// SELECT_V2: elements of input 1 where the condition, input 0, is true, of input 2 where it is not, broadcasting.
///
/// - Shapes: three tensors that broadcast to one shape, which is the output's.
/// - Types: bool, and any type of 1, 2, 4 or 8 bytes.
/// - Source: operator 123 of the model format.
struct SelectV2Operator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.selectV2, versions: 1...2, types: SelectOperator.selectTypes)
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try node.broadcastShape()] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try Selection.prepare(context, conditionShape: context.node.input(0).shape)
  }
}
