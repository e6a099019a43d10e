import SwiftletEngine
import SwiftletSchema

/// SPLIT: equal pieces along one axis.
///
/// - Shapes: axis, one element, then the data.
/// - Types: data of every type of fixed size, and strings; axis int32.
/// - Source: operator 49 of the model format.
struct SplitOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .split, versions: 1...5,
      types: TypeSet.movable.types.map { TypeCombination(inputs: [.int32, TypeSet($0)], outputs: [TypeSet($0)]) })
  }

  private let count: Int

  init(parsing node: NodeReader) throws {
    count = try node.options[SplitOptions.splitCount]
    guard count >= 1, count == node.outputCount else {
      throw node.invalid("gives \(count) outputs by its options, the model names \(node.outputCount)")
    }
    try node.require(inputs: 2...2, outputs: count...count)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(1)
    let axis = try node.axis(node.integer(0), of: input)
    guard input.shape[axis] % count == 0 else {
      throw node.invalid(
        "cannot cut the \(input.shape[axis]) steps along axis \(axis) of input \(input) into \(count) equal pieces")
    }
    var piece = input.shape
    piece[axis] /= count
    return Array(repeating: piece, count: count)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(1)
    let axis = try context.node.axis(context.node.integer(0), of: input)
    return try PreparedOperator(
      splitting: input.shape, axis: axis, counts: Array(repeating: input.shape[axis] / count, count: count), input: 1,
      context)
  }
}
