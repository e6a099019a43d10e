import SwiftletEngine
import SwiftletSchema

/// PACK: inputs of one shape, joined along a new axis.
///
/// - Shapes: the axis in the options refers to the output; a negative axis counts from the back.
/// - Types: every type of fixed size, and strings.
/// - Source: operator 83 of the model format.
struct PackOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.pack, versions: 1...5, types: .uniform(TypeSet.movable.types))
  }

  private let axis: Int

  init(parsing node: NodeReader) throws {
    let count = try node.options[PackOptions.valuesCount]
    guard count >= 1, count == node.inputCount else {
      throw node.invalid("joins \(count) inputs by its options, but the model has \(node.inputCount)")
    }
    try node.require(inputs: count...count)
    axis = try node.options[PackOptions.axis]
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let first = try node.input(0)
    for index in 1..<node.inputCount {
      let other = try node.input(index)
      guard other.shape == first.shape else {
        throw node.invalid("input \(index) \(other) has another shape than input 0 \(first)")
      }
    }
    var dimensions = first.shape.dimensions
    dimensions.insert(node.inputCount, at: try outputAxis(node, rank: first.shape.rank + 1))
    return [Shape(dimensions)]
  }

  private func outputAxis(_ node: NodeView, rank: Int) throws -> Int {
    guard axis >= -rank, axis < rank else {
      throw node.invalid("axis \(axis) is outside of an output of rank \(rank)")
    }
    return axis < 0 ? axis + rank : axis
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    for index in 0..<node.inputCount { try node.requireSameQuantization(input: index) }
    let shape = try node.output(0).shape
    guard shape.elementCount > 0 else { return .empty }
    let axis = try outputAxis(node, rank: shape.rank)
    let elementBytes = try node.elementBytes(ofInput: 0)
    let destination = try context.outputSlot(0)
    return PreparedOperator(
      copies: try (0..<node.inputCount).map { index in
        CopyPart(
          copy: .joining(elementBytes: elementBytes, whole: shape, axis: axis, start: index, count: 1),
          source: try context.inputSlot(index), destination: destination)
      })
  }
}

/// CONCATENATION: the inputs joined along one axis.
///
/// - Shapes: inputs that are equal except along the axis. Scalars count as vectors of one element.
/// - Types: every type of fixed size, and strings. Int8 and uint8 inputs whose scale or zero point differs from the
///   output's are requantized.
/// - Source: operator 2 of the model format.
struct ConcatenationOperator: AxisNamingOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.concatenation, versions: 1...7, types: .uniform(TypeSet.movable.types))
  }

  private let axis: Int

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...Int.max)
    axis = try node.options[ConcatenationOptions.axis]
    _ = try FusedActivation(node, field: ConcatenationOptions.fusedActivation, allowed: [.none])
  }

  private init(axis: Int) { self.axis = axis }

  var layoutBehavior: LayoutBehavior { .named(self) }

  func reorderableInputCount(_ node: NodeView) -> Int { node.inputCount }

  func reordered(_ order: [Int], _ node: NodeView) throws -> any Operator {
    let axis = try node.output(0).shape.resolvedAxis(axis)
    return Self(axis: axis.flatMap(order.firstIndex) ?? self.axis)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let first = try node.input(0)
    var shape = Self.atLeastVector(first.shape)
    guard let axis = shape.resolvedAxis(axis) else {
      throw node.invalid("axis \(axis) is outside of input 0 \(first)")
    }
    for index in 1..<max(1, node.inputCount) {
      let other = try node.input(index)
      var expected = Self.atLeastVector(other.shape)
      guard other.shape.rank == first.shape.rank else {
        throw node.invalid("input \(index) \(other) has another rank than input 0 \(first)")
      }
      let (sum, overflow) = shape[axis].addingReportingOverflow(expected[axis])
      expected[axis] = shape[axis]
      guard !overflow, expected == shape else {
        throw node.invalid("input \(index) \(other) differs from input 0 \(first) along another axis than \(axis)")
      }
      shape[axis] = sum
    }
    return [shape]
  }

  private static func atLeastVector(_ shape: Shape) -> Shape { shape.rank == 0 ? [1] : shape }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let output = try node.output(0)
    guard output.shape.elementCount > 0, let axis = output.shape.resolvedAxis(axis) else { return .empty }
    let elementBytes = try node.elementBytes(ofInput: 0)
    let destination = try context.outputSlot(0)
    var parts: [CopyPart] = []
    var requantized: [PreparedOperator.Stage] = []
    var start = 0
    for index in 0..<node.inputCount {
      let input = try node.input(index)
      // There is nothing to copy, even if there are many empty rows.
      guard input.shape.elementCount > 0 else { continue }
      let count = Self.atLeastVector(input.shape)[axis]
      let source = try context.inputSlot(index)
      if let map = try ByteRequantization(from: input, to: output) {
        let step = output.shape.elementCount((axis + 1)..<output.shape.rank)
        requantized.append(
          map.stage(
            rows: output.shape.elementCount(0..<axis), rowBytes: count &* step, from: source, to: destination,
            offset: start &* step, stride: output.shape[axis] &* step, kernels: context.kernels.bytes))
      } else {
        let copy = StridedCopy.joining(
          elementBytes: elementBytes, whole: output.shape, axis: axis, start: start, count: count)
        parts.append(CopyPart(copy: copy, source: source, destination: destination))
      }
      start += count
    }
    context.uses(requantized.isEmpty ? "strided copy" : "table of 256 values", requantized.isEmpty ? .none : .processor)
    return PreparedOperator(stages: [.init(copies: parts)] + requantized)
  }
}
