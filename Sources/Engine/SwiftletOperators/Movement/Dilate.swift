import SwiftletEngine
import SwiftletSchema

/// DILATE: elements of one value between the elements of a tensor.
///
/// - Shapes: input of rank 1 or more; dilations `[rank]`, the distance of neighbours along each axis, 1 or more; the
///   value holds one element; output sizes `(size − 1) × dilation + 1`.
/// - Types: data of every type of whole bytes; dilations int32.
/// - Source: operator 203 of the model format.
struct DilateOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .dilate, versions: 1...1,
      types: TypeSet.plain.types.map {
        TypeCombination(inputs: [TypeSet($0), .int32, TypeSet($0)], outputs: [TypeSet($0)])
      })
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    try node.requireSingleElement(2)
    return [try axes(node).spacedShape(node)]
  }

  private func axes(_ node: NodeView) throws -> [SpacedAxis] {
    let input = try node.input(0)
    let dilations = try node.integers(1)
    guard input.shape.rank > 0, try node.input(1).shape.dimensions == [input.shape.rank],
      dilations.count == input.shape.rank,
      dilations.allSatisfy({ $0 >= 1 })
    else {
      throw node.invalid("dilations \(dilations) must be one number of 1 or more for each axis of input \(input)")
    }
    return dilations.enumerated().map { axis, dilation in
      SpacedAxis(size: input.shape[axis], interior: dilation - 1, before: 0, after: 0)
    }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .spaced(context, axes(context.node), value: 2)
  }
}
