import SwiftletEngine
import SwiftletSchema

/// UNPACK: the steps along one axis as outputs of their own, without that axis.
///
/// - Types: every type of fixed size, and strings.
/// - Source: operator 88 of the model format.
struct UnpackOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.unpack, versions: 1...6, types: .uniform(TypeSet.movable.types))
  }

  private let count: Int
  private let axis: Int

  init(parsing node: NodeReader) throws {
    count = try node.options[UnpackOptions.count]
    guard count >= 1, count == node.outputCount else {
      throw node.invalid("gives \(count) outputs by its options, the model names \(node.outputCount)")
    }
    try node.require(inputs: 1...1, outputs: count...count)
    axis = try node.options[UnpackOptions.axis]
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let axis = try node.axis(axis, of: input)
    guard input.shape[axis] == count else {
      throw node.invalid("input \(input) has \(input.shape[axis]) steps along axis \(axis), the options say \(count)")
    }
    var dimensions = input.shape.dimensions
    dimensions.remove(at: axis)
    return Array(repeating: Shape(dimensions), count: count)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    for index in 0..<count { try context.node.requireSameQuantization(output: index) }
    let input = try context.node.input(0)
    let axis = try context.node.axis(axis, of: input)
    return try PreparedOperator(
      splitting: input.shape, axis: axis, counts: Array(repeating: 1, count: count), input: 0, context)
  }
}
