import SwiftletEngine
import SwiftletSchema

/// CONCATENATION: the inputs behind each other along one axis.
///
/// - Shapes: inputs equal except along the axis; scalars count as vectors of one element.
/// - Types: every type of fixed size, and strings. Int8 and uint8 inputs whose scale or zero point differs from the
///   output's are requantised.
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

  var axisRule: AxisRule { .named(self) }

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
      // Nothing to copy, however many rows there would be of it.
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
