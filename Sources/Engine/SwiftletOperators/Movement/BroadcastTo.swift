import SwiftletEngine
import SwiftletSchema

/// BROADCAST_TO: the input repeated along axes of one step, and along new axes in front, until it has a given shape.
///
/// - Shapes: input of any rank; shape `[output rank]`.
/// - Types: data of every type of fixed size, and strings; shape int32 or int64.
/// - Source: operator 130 of the model format.
struct BroadcastToOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .broadcastTo, versions: 1...4, types: .uniform(TypeSet.movable.types, then: [.int32, .int64]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let target = try node.integers(1)
    let added = target.count - input.shape.rank
    guard added >= 0, target.allSatisfy({ $0 >= 0 }),
      input.shape.dimensions.enumerated().allSatisfy({ $0.element == 1 || $0.element == target[added + $0.offset] })
    else { throw node.invalid("input \(input) cannot be repeated to shape \(Shape(target))") }
    return [Shape(target)]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let input = try node.input(0).shape
    let output = try node.output(0).shape
    guard output.elementCount > 0 else { return .empty }
    if input.elementCount == output.elementCount { return try .copy(context) }
    let strides = input.strides
    let added = output.rank - input.rank
    let copy = StridedCopy(
      elementBytes: try node.elementBytes(ofInput: 0), counts: output.dimensions,
      sourceStrides: output.dimensions.indices.map { $0 < added || input[$0 - added] == 1 ? 0 : strides[$0 - added] },
      destinationStrides: output.strides)
    return try PreparedOperator(copy: copy, context)
  }
}
