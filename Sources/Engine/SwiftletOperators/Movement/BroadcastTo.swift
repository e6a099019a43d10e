import SwiftletEngine
import SwiftletSchema

/// BROADCAST_TO: the input repeated along axes of size 1 and along new leading axes, up to a given shape.
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
    // Each axis has a loop over the repetitions, which doesn't advance in the source, and an inner loop over the steps.
    let axes = 0..<input.rank
    let copy = StridedCopy(
      elementBytes: try node.elementBytes(ofInput: 0),
      counts: axes.flatMap { [multiples[$0], input[$0]] },
      sourceStrides: axes.flatMap { [0, sourceStrides[$0]] },
      destinationStrides: axes.flatMap { [input[$0] &* destinationStrides[$0], destinationStrides[$0]] })
    return try PreparedOperator(copy: copy, context)
  }
}

/// FILL: a tensor of a given shape with a single value.
///
/// - Shapes: the output shape as a vector, then the value, one element.
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
      throw node.invalid("\(shape) is not a valid shape: it must be a vector of nonnegative numbers")
    }
    guard try node.input(1).shape.elementCount == 1 else {
      throw node.invalid("the value \(try node.input(1)) must contain one element")
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
