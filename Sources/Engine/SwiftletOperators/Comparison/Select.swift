import SwiftletEngine
import SwiftletSchema

/// SELECT: elements of input 1 where the condition, input 0, is true, of input 2 where it is not.
///
/// - Shapes: inputs 1 and 2 of one shape, which is the output's; the condition has the same shape, is a scalar, or is a
///   vector along axis 0.
/// - Types: bool, and any type of 1, 2, 4 or 8 bytes.
/// - Source: operator 64 of the model format.
struct SelectOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.select, versions: 1...4, types: selectTypes)
  }

  /// Types of whole bytes, and not more than 8 of them.
  static let selectTypes = TypeSet.plain.types.filter { ($0.byteWidth ?? 16) <= 8 }.map {
    TypeCombination(inputs: [.bool, TypeSet($0), TypeSet($0)], outputs: [TypeSet($0)])
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let shape = try node.input(1).shape
    guard try node.input(2).shape == shape else {
      throw node.invalid("input 2 \(try node.input(2)) must have the shape of input 1 \(try node.input(1))")
    }
    _ = try conditionShape(node)
    return [shape]
  }

  /// The condition's shape with a vector along the first axis.
  private func conditionShape(_ node: NodeView) throws -> Shape {
    let condition = try node.input(0).shape
    let shape = try node.input(1).shape
    if condition == shape || condition.elementCount == 1 && condition.rank <= 1 {
      return condition.rank <= shape.rank ? condition : []
    }
    guard condition.rank == 1, shape.rank > 0, condition[0] == shape[0] else {
      throw node.invalid(
        "the condition \(try node.input(0)) must be a scalar, a vector along axis 0, or of the shape of input 1 \(try node.input(1))"
      )
    }
    return Shape([condition[0]] + [Int](repeating: 1, count: shape.rank - 1))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try Selection.prepare(context, conditionShape: conditionShape(context.node))
  }
}
