import SwiftletEngine
import SwiftletSchema

/// PACK: inputs of one shape behind each other along a new axis.
///
/// - Shapes: the axis of the options counts in the output; negative from the back.
/// - Types: every type of fixed size, and strings.
/// - Source: operator 83 of the model format.
struct PackOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.pack, versions: 1...5, types: .uniform(TypeSet.movable.types))
  }

  private let axis: Int

  init(parsing node: NodeReader) throws {
    let count = try node.options[PackOptions.valuesCount]
    guard count >= 1, count == node.inputCount else {
      throw node.invalid("joins \(count) inputs by its options, the model gives \(node.inputCount)")
    }
    try node.require(inputs: count...count)
    axis = try node.options[PackOptions.axis]
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let first = try node.input(0)
    for index in 1..<node.inputCount {
      let other = try node.input(index)
      guard other.shape == first.shape else {
        throw node.invalid("input \(index) \(other) has another shape than input 0 \(first)")
      }
    }
    var dimensions = first.shape.dimensions
    dimensions.insert(node.inputCount, at: try outputAxis(node, rank: first.shape.rank + 1))
    return [Shape(dimensions)]
  }

  private func outputAxis(_ node: NodeView, rank: Int) throws -> Int {
    guard axis >= -rank, axis < rank else {
      throw node.invalid("axis \(axis) is outside of an output of rank \(rank)")
    }
    return axis < 0 ? axis + rank : axis
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    for index in 0..<node.inputCount { try node.requireSameQuantization(input: index) }
    let shape = try node.output(0).shape
    guard shape.elementCount > 0 else { return .empty }
    let axis = try outputAxis(node, rank: shape.rank)
    let elementBytes = try node.elementBytes(ofInput: 0)
    let destination = try context.outputSlot(0)
    return PreparedOperator(
      copies: try (0..<node.inputCount).map { index in
        CopyPart(
          copy: .joining(elementBytes: elementBytes, whole: shape, axis: axis, start: index, count: 1),
          source: try context.inputSlot(index), destination: destination)
      })
  }
}
