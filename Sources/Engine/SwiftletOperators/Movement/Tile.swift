import SwiftletEngine
import SwiftletSchema

/// TILE: the input repeated along every axis.
///
/// - Shapes: input of any rank; multiples `[rank]`, not negative.
/// - Types: data of every type of fixed size, and strings; multiples int32 or int64.
/// - Source: operator 69 of the model format.
struct TileOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .tile, versions: 1...3, types: .uniform(TypeSet.movable.types, then: [.int32, .int64]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let multiples = try multiples(node)
    return [
      Shape(
        try zip(input.shape.dimensions, multiples).map { size, multiple in
          let (product, overflow) = size.multipliedReportingOverflow(by: multiple)
          guard !overflow else { throw node.invalid("repeating input \(input) \(multiples) times is too large") }
          return product
        })
    ]
  }

  private func multiples(_ node: NodeView) throws -> [Int] {
    let input = try node.input(0)
    let multiples = try node.integers(1)
    guard multiples.count == input.shape.rank, multiples.allSatisfy({ $0 >= 0 }) else {
      throw node.invalid("multiples \(multiples) must be one number of 0 or more for each axis of input \(input)")
    }
    return multiples
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let input = try node.input(0).shape
    let output = try node.output(0).shape
    guard output.elementCount > 0 else { return .empty }
    if input == output { return try .copy(context) }
    let multiples = try multiples(node)
    let sourceStrides = input.strides
    let destinationStrides = output.strides
    // Along every axis the repetitions, which stand still in the source, and in them the steps.
    let axes = 0..<input.rank
    let copy = StridedCopy(
      elementBytes: try node.elementBytes(ofInput: 0),
      counts: axes.flatMap { [multiples[$0], input[$0]] },
      sourceStrides: axes.flatMap { [0, sourceStrides[$0]] },
      destinationStrides: axes.flatMap { [input[$0] &* destinationStrides[$0], destinationStrides[$0]] })
    return try PreparedOperator(copy: copy, context)
  }
}
