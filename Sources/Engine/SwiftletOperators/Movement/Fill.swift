import SwiftletEngine
import SwiftletSchema

/// FILL: a tensor of a given shape, all of one value.
///
/// - Shapes: the output's shape as a vector, then the value, one element.
/// - Types: shape int32 or int64; value of every type of fixed size, and strings.
/// - Source: operator 94 of the model format.
struct FillOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .fill, versions: 1...5,
      types: TypeSet.movable.types.map {
        TypeCombination(inputs: [[.int32, .int64], TypeSet($0)], outputs: [TypeSet($0)])
      })
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let shape = try node.integers(0)
    guard try node.input(0).shape.rank == 1, shape.allSatisfy({ $0 >= 0 }) else {
      throw node.invalid("\(shape) is no shape: it must be a vector of numbers of 0 or more")
    }
    guard try node.input(1).shape.elementCount == 1 else {
      throw node.invalid("the value \(try node.input(1)) must hold one element")
    }
    return [Shape(shape)]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try context.node.requireSameQuantization(input: 1)
    let count = try context.node.output(0).shape.elementCount
    let elementBytes = try context.node.elementBytes(ofInput: 1)
    let value = try context.inputSlot(1)
    let destination = try context.outputSlot(0)
    return PreparedOperator(items: count, cost: Double(elementBytes) * 0.05) { run, items in
      ElementFill(run.pointer(value), elementBytes: elementBytes).fill(
        run.pointer(destination).advanced(by: items.lowerBound &* elementBytes), byteCount: items.count &* elementBytes)
    }
  }
}
