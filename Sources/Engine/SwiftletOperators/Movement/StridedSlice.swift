import SwiftletEngine
import SwiftletSchema

/// STRIDED_SLICE: every so many steps of a range along each axis, with axes added and dropped.
///
/// - Shapes: input of any rank; begin, end and strides are vectors of one length.
/// - Types: data of every type of fixed size, and strings; the rest int32.
/// - Source: operator 45 of the model format, with the reference runtime's clamping of ranges that leave the input.
struct StridedSliceOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .stridedSlice, versions: 1...8, types: .uniform(TypeSet.movable.types, then: [.int32, .int64]))
  }

  private let masks: SliceMasks

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 4...4)
    masks = SliceMasks(
      begin: try node.options[StridedSliceOptions.beginMask], end: try node.options[StridedSliceOptions.endMask],
      ellipsis: try node.options[StridedSliceOptions.ellipsisMask],
      newAxis: try node.options[StridedSliceOptions.newAxisMask],
      shrinkAxis: try node.options[StridedSliceOptions.shrinkAxisMask],
      isEndRelative: try node.options[StridedSliceOptions.offset])
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let ranges = try ranges(node)
    let shape = Shape(ranges.compactMap { $0.isDropped ? nil : $0.count })
    if shape.elementCount > 0, let missing = ranges.firstIndex(where: { $0.count == 0 }) {
      throw node.invalid(
        "takes a single step outside of axis \(missing), of size \(ranges[missing].size), of input \(try node.input(0))"
      )
    }
    return [shape]
  }

  private func ranges(_ node: NodeView) throws -> [SliceRange] {
    let input = try node.input(0)
    let begin = try node.input(1)
    for index in 1...3 {
      let spec = try node.input(index)
      guard spec.shape.rank == 1, spec.shape == begin.shape, spec.shape[0] <= 31 else {
        throw node.invalid(
          "begin, end and strides must be vectors of one length up to 31, input \(index) is \(spec), input 1 \(begin)")
      }
    }
    return try masks.ranges(
      of: input.shape, begin: node.integers(1), end: node.integers(2), strides: node.integers(3)
    ) { node.invalid("cannot slice input \(input): \($0)") }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    guard try node.output(0).shape.elementCount > 0 else { return .empty }
    let ranges = try ranges(node)
    let counts = ranges.map(\.count)
    // The strides of the input with its added axes of one step.
    let strides = Shape(ranges.map(\.size)).strides
    let start = zip(ranges, strides).reduce(0) { $0 &+ $1.0.start &* $1.1 }
    if Shape(counts) == Shape(ranges.map(\.size)), start == 0, ranges.allSatisfy({ $0.stride > 0 || $0.size == 1 }) {
      return try .copy(context)
    }
    let copy = StridedCopy(
      elementBytes: try node.elementBytes(ofInput: 0), counts: counts,
      sourceStrides: zip(ranges, strides).map { $0.stride &* $1 }, destinationStrides: Shape(counts).strides,
      sourceStart: start)
    return try PreparedOperator(copy: copy, context)
  }
}
