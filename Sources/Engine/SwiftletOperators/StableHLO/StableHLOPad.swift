import SwiftletEngine
import SwiftletSchema

/// STABLEHLO_PAD: elements of one value around and between the elements of a tensor.
///
/// - Shapes: input of rank 1 or more; the value holds one element; options give for every axis how many elements stand
///   in front, behind and between. Negative numbers in front and behind crop.
/// - Types: every type of whole bytes.
/// - Source: operator 195 of the model format. Where cropping leaves nothing of one axis, every axis of the output is
///   0.
struct StableHLOPadOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.stablehloPad, versions: 1...1, types: .uniform(TypeSet.plain.types))
  }

  private let before: [Int]
  private let after: [Int]
  private let interior: [Int]

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    before = try node.options[StableHLOPadOptions.edgePaddingLow]
    after = try node.options[StableHLOPadOptions.edgePaddingHigh]
    interior = try node.options[StableHLOPadOptions.interiorPadding]
    guard before.count == after.count, before.count == interior.count, !before.isEmpty else {
      throw node.invalid(
        "has \(before.count) paddings in front, \(after.count) behind and \(interior.count) between; one of each is needed for every axis"
      )
    }
    guard let negative = interior.first(where: { $0 < 0 || $0 == .max }) else { return }
    throw node.invalid("puts \(negative) elements between two, it must be 0 or more")
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    try node.requireSingleElement(1)
    return [try axes(node).spacedShape(node)]
  }

  private func axes(_ node: NodeView) throws -> [SpacedAxis] {
    let input = try node.input(0)
    guard input.shape.rank == before.count else {
      throw node.invalid("has paddings for \(before.count) axes, input \(input) has \(input.shape.rank)")
    }
    return before.indices.map {
      SpacedAxis(size: input.shape[$0], interior: interior[$0], before: before[$0], after: after[$0])
    }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .spaced(context, axes(context.node), value: 1)
  }
}
