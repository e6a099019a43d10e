import SwiftletEngine
import SwiftletSchema

/// REVERSE_V2: the elements in opposite order along some axes.
///
/// - Types: data of every type of fixed size, and strings; axes int32.
/// - Source: operator 105 of the model format; axes need not be neighbours.
struct ReverseV2Operator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .reverseV2, versions: 1...4, types: .uniform(TypeSet.movable.types, then: .int32))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    _ = try axes(node)
    return [try node.input(0).shape]
  }

  private func axes(_ node: NodeView) throws -> Set<Int> {
    let input = try node.input(0)
    return Set(try node.integers(1).map { try node.axis($0, of: input) })
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let shape = try node.input(0).shape
    guard shape.elementCount > 0 else { return .empty }
    let reversed = try axes(node).filter { shape[$0] > 1 }
    if reversed.isEmpty { return try .copy(context) }
    let strides = shape.strides
    let copy = StridedCopy(
      elementBytes: try node.elementBytes(ofInput: 0), counts: shape.dimensions,
      sourceStrides: strides.enumerated().map { reversed.contains($0.offset) ? -$0.element : $0.element },
      destinationStrides: strides, sourceStart: reversed.reduce(0) { $0 + (shape[$1] - 1) * strides[$1] })
    return try PreparedOperator(copy: copy, context)
  }
}
