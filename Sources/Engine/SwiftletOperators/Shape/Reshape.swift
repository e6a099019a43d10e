import SwiftletEngine
import SwiftletSchema

/// RESHAPE: the same elements under another shape.
///
/// - Types: every type of fixed size, and strings.
/// - Source: operator 22 of the model format. The shape comes from input 1 when that is an int32 vector, otherwise from
///   the options, and only without them from a vector of another integer type; one dimension may be -1 and follows from
///   the others.
struct ReshapeOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .reshape, versions: 1...1, types: .uniform(TypeSet.movable.types, then: .any))
  }

  private let newShape: [Int]?

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...2)
    newShape = node.options.tag == 0 ? nil : try node.options[ReshapeOptions.newShape]
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    var target = try requestedShape(node)
    let count = input.shape.elementCount
    if let free = target.firstIndex(of: -1) {
      let known = Shape(target.filter { $0 != -1 }).elementCount
      guard target.filter({ $0 == -1 }).count == 1 else {
        throw node.invalid("the shape \(target) has more than one -1")
      }
      guard known > 0, count % known == 0 else {
        throw node.invalid("cannot give input \(input), of \(count) elements, the shape \(target)")
      }
      target[free] = count / known
    }
    guard target.allSatisfy({ $0 >= 0 }), Shape(target).elementCount == count else {
      throw node.invalid("cannot give input \(input), of \(count) elements, the shape \(target)")
    }
    return [Shape(target)]
  }

  private func requestedShape(_ node: NodeView) throws -> [Int] {
    if let shape = node.optionalInput(1), shape.shape.rank == 1, shape.elementType == .int32 || newShape == nil {
      return try node.integers(1)
    }
    guard let newShape else { throw node.invalid("has neither a shape input nor a shape option") }
    // Old writers stored a scalar as a shape of one zero.
    return newShape == [0] ? [] : newShape
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try .copy(context) }
}
