import SwiftletEngine
import SwiftletSchema

/// EXPAND_DIMS: the same elements with one more axis of one step.
///
/// - Shapes: the axis, one element, counts in the output; negative from the back.
/// - Types: data of every type of fixed size, and strings; axis int32 or int64.
/// - Source: operator 70 of the model format.
struct ExpandDimsOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .expandDims, versions: 1...1, types: .uniform(TypeSet.movable.types, then: [.int32, .int64]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let axis = try node.integer(1)
    let rank = input.shape.rank
    guard axis >= -(rank + 1), axis <= rank else {
      throw node.invalid("cannot add axis \(axis) to input \(input): it must be from \(-(rank + 1)) to \(rank)")
    }
    var dimensions = input.shape.dimensions
    dimensions.insert(1, at: axis < 0 ? axis + rank + 1 : axis)
    return [Shape(dimensions)]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try context.node.requireSameQuantization()
    return try .copy(context)
  }
}
