import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// SPLIT: equal parts along one axis.
///
/// - Shapes: axis, one element, then the data.
/// - Types: data of every type of fixed size, and strings; axis int32.
/// - Source: operator 49 of the model format.
struct SplitOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .split, versions: 1...5,
      types: TypeSet.movable.types.map { TypeCombination(inputs: [.int32, TypeSet($0)], outputs: [TypeSet($0)]) })
  }

  private let count: Int

  init(parsing node: NodeReader) throws {
    count = try node.options[SplitOptions.splitCount]
    guard count >= 1, count == node.outputCount else {
      throw node.invalid("gives \(count) outputs by its options, the model names \(node.outputCount)")
    }
    try node.require(inputs: 2...2, outputs: count...count)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(1)
    let axis = try node.axis(node.integer(0), of: input)
    guard input.shape[axis] % count == 0 else {
      throw node.invalid(
        "cannot cut the \(input.shape[axis]) steps along axis \(axis) of input \(input) into \(count) equal pieces")
    }
    var piece = input.shape
    piece[axis] /= count
    return Array(repeating: piece, count: count)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(1)
    let axis = try context.node.axis(context.node.integer(0), of: input)
    return try PreparedOperator(
      splitting: input.shape, axis: axis, counts: Array(repeating: input.shape[axis] / count, count: count), input: 1,
      context)
  }
}

/// SPLIT_V: parts of given sizes along one axis.
///
/// - Shapes: the data; the sizes, one per output, of which one may be -1 for the rest; the axis, one element.
/// - Types: data of every type of fixed size, and strings; sizes and axis int32 or int64.
/// - Source: operator 102 of the model format.
struct SplitVOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .splitV, versions: 1...3, types: .uniform(TypeSet.movable.types, then: [.int32, .int64]))
  }

  private let count: Int

  init(parsing node: NodeReader) throws {
    count = try node.options[SplitVOptions.splitCount]
    guard count >= 1, count == node.outputCount else {
      throw node.invalid("gives \(count) outputs by its options, the model names \(node.outputCount)")
    }
    try node.require(inputs: 3...3, outputs: count...count)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let axis = try node.axis(node.integer(2), of: input)
    return try sizes(node, length: input.shape[axis]).map {
      var piece = input.shape
      piece[axis] = $0
      return piece
    }
  }

  private func sizes(_ node: NodeView, length: Int) throws -> [Int] {
    var sizes = try node.integers(1, atMost: count)
    let isValid = sizes.count == count && sizes.allSatisfy { $0 >= -1 && $0 <= length } && sizes.count { $0 == -1 } <= 1
    guard isValid else {
      throw node.invalid(
        "sizes \(sizes.excerpt) are not \(count) pieces of the \(length) steps of input \(try node.input(0))")
    }
    let rest = length - sizes.filter { $0 >= 0 }.reduce(0, +)
    if let open = sizes.firstIndex(of: -1), rest >= 0 {
      sizes[open] = rest
    } else if rest != 0 {
      throw node.invalid("sizes \(sizes.excerpt) do not add up to the \(length) steps of input \(try node.input(0))")
    }
    return sizes
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(0)
    let axis = try context.node.axis(context.node.integer(2), of: input)
    return try PreparedOperator(
      splitting: input.shape, axis: axis, counts: sizes(context.node, length: input.shape[axis]), input: 0, context)
  }
}

/// UNPACK: the steps along one axis as separate outputs without that axis.
///
/// - Types: every type of fixed size, and strings.
/// - Source: operator 88 of the model format.
struct UnpackOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.unpack, versions: 1...6, types: .uniform(TypeSet.movable.types))
  }

  private let count: Int
  private let axis: Int

  init(parsing node: NodeReader) throws {
    count = try node.options[UnpackOptions.count]
    guard count >= 1, count == node.outputCount else {
      throw node.invalid("gives \(count) outputs by its options, the model names \(node.outputCount)")
    }
    try node.require(inputs: 1...1, outputs: count...count)
    axis = try node.options[UnpackOptions.axis]
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let axis = try node.axis(axis, of: input)
    guard input.shape[axis] == count else {
      throw node.invalid("input \(input) has \(input.shape[axis]) steps along axis \(axis), the options say \(count)")
    }
    var dimensions = input.shape.dimensions
    dimensions.remove(at: axis)
    return Array(repeating: Shape(dimensions), count: count)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    for index in 0..<count { try context.node.requireSameQuantization(output: index) }
    let input = try context.node.input(0)
    let axis = try context.node.axis(axis, of: input)
    return try PreparedOperator(
      splitting: input.shape, axis: axis, counts: Array(repeating: 1, count: count), input: 0, context)
  }
}
