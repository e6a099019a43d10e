import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// SQUEEZE: the same elements without axes of one step, all of them or those that the options name.
///
/// - Types: every type of fixed size, and strings.
/// - Source: operator 43 of the model format.
struct SqueezeOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.squeeze, versions: 1...2, types: .uniform(TypeSet.movable.types))
  }

  private let axes: [Int]

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    axes = try node.options[SqueezeOptions.squeezeDimensions]
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    if axes.isEmpty { return [Shape(input.shape.dimensions.filter { $0 != 1 })] }
    let dropped = Set(try axes.map { try node.axis($0, of: input) })
    guard dropped.allSatisfy({ input.shape[$0] == 1 }) else {
      throw node.invalid("cannot drop axes \(axes.excerpt) of input \(input): they must have size 1")
    }
    return [Shape(input.shape.dimensions.enumerated().filter { !dropped.contains($0.offset) }.map(\.element))]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try .copy(context) }
}
