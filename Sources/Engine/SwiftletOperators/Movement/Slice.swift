import SwiftletEngine
import SwiftletSchema

/// SLICE: a box of the input.
///
/// - Shapes: input of any rank; begin and size `[rank]`, a size of -1 reaches to the end.
/// - Types: data of every type of fixed size, and strings; begin and size int32 or int64.
/// - Source: operator 65 of the model format.
struct SliceOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .slice, versions: 1...8, types: .uniform(TypeSet.movable.types, then: [.int32, .int64]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [Shape(try box(node).map(\.count))] }

  private func box(_ node: NodeView) throws -> [(start: Int, count: Int)] {
    let input = try node.input(0)
    let begin = try node.integers(1)
    let size = try node.integers(2)
    guard begin.count == input.shape.rank, size.count == input.shape.rank else {
      throw node.invalid("begin \(begin) and size \(size) must have one value for each axis of input \(input)")
    }
    return try input.shape.dimensions.enumerated().map { axis, length in
      guard begin[axis] >= 0, begin[axis] <= length, size[axis] >= -1 else {
        throw node.invalid("begin \(begin) and size \(size) leave input \(input) along axis \(axis)")
      }
      let count = size[axis] == -1 ? length - begin[axis] : size[axis]
      guard count <= length - begin[axis] else {
        throw node.invalid("begin \(begin) and size \(size) leave input \(input) along axis \(axis)")
      }
      return (begin[axis], count)
    }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let output = try node.output(0).shape
    guard output.elementCount > 0 else { return .empty }
    if try node.input(0).shape == output { return try .copy(context) }
    let strides = try node.input(0).shape.strides
    let copy = StridedCopy(
      elementBytes: try node.elementBytes(ofInput: 0), counts: output.dimensions, sourceStrides: strides,
      destinationStrides: output.strides,
      sourceStart: zip(try box(node), strides).reduce(0) { $0 &+ $1.0.start &* $1.1 })
    return try PreparedOperator(copy: copy, context)
  }
}
