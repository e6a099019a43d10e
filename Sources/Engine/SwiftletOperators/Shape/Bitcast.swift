import SwiftletEngine
import SwiftletSchema

/// BITCAST: the same bytes as elements of another type.
///
/// - Shapes: a last axis is added when elements become smaller; the last axis, which must be as long as one element
///   takes, goes when they become larger.
/// - Types: every type of whole bytes to every other.
/// - Source: operator 159 of the model format.
struct BitcastOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.bitcast, versions: 1...1, types: .one(.plain, to: .plain))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let output = try node.output(0)
    guard let from = input.elementType.byteWidth, let to = output.elementType.byteWidth else {
      throw node.invalid("input \(input) or output \(output) has elements of no whole number of bytes")
    }
    if from == to { return [input.shape] }
    if from > to { return [Shape(input.shape.dimensions + [from / to])] }
    guard input.shape.dimensions.last == to / from else {
      throw node.invalid(
        "the last axis of input \(input) must be \(to / from) long, one element of \(output.elementType.name)")
    }
    return [Shape(input.shape.dimensions.dropLast())]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try .copy(context) }
}
