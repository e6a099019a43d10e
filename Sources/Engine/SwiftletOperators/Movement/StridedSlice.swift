import SwiftletEngine
import SwiftletSchema

/// STRIDED_SLICE: every n-th step of a range along each axis, with axes added and removed.
///
/// - Shapes: input of any rank; begin, end, and strides are vectors of one length.
/// - Types: data of every type of fixed size, and strings; the rest int32.
/// - Source: operator 45 of the model format, with the reference runtime's clamping of ranges that exceed the input.
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
    // The strides of the input, including the added axes of size 1.
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

/// The part of one axis in a slice: `count` steps of `stride` from `start`.
struct SliceRange: Sendable, Hashable {
  /// The size of the axis in the input, or 1 for an added axis.
  var size: Int
  var start: Int
  var stride: Int
  var count: Int
  /// Whether the axis is removed from the result.
  var isDropped: Bool

  static func whole(_ size: Int) -> SliceRange {
    SliceRange(size: size, start: 0, stride: 1, count: size, isDropped: false)
  }
}

/// The options of a strided slice. Bit `i` of a mask refers to position `i` of begin, end, and strides.
struct SliceMasks: Sendable, Hashable {
  /// Positions that begin at the end of the axis opposite to the direction of the stride.
  var begin: Int
  /// Positions that continue to the end of the axis in the direction of the stride.
  var end: Int
  /// Positions that represent all remaining axes.
  var ellipsis: Int
  /// Positions that add an axis of size 1.
  var newAxis: Int
  /// Positions that select the single step at begin and remove the axis.
  var shrinkAxis: Int
  /// Whether ends are relative to begin.
  var isEndRelative: Bool

  /// Returns the range along every axis of `shape` and every added axis, in order.
  ///
  /// - Throws: The error that `error` creates from a message.
  func ranges(
    of shape: Shape, begin: [Int], end: [Int], strides: [Int], error: (String) -> RuntimeError
  ) throws -> [SliceRange] {
    guard begin.count == end.count, begin.count == strides.count else {
      throw error("begin, end and strides differ in length")
    }
    func has(_ mask: Int, _ position: Int) -> Bool { mask >> position & 1 == 1 }
    let added = begin.indices.count { has(newAxis, $0) && !has(ellipsis, $0) }
    // The first ellipsis represents the axes without a position of their own. It represents one even if none is left.
    let ellipsisCount = max(1, shape.rank + added - (begin.count - 1))

    var ranges: [SliceRange] = []
    var axis = 0
    var hasEllipsis = false
    for position in begin.indices {
      if has(ellipsis, position) {
        guard !hasEllipsis else { throw error("there is more than one ellipsis") }
        hasEllipsis = true
        for _ in 0..<ellipsisCount where axis < shape.rank {
          ranges.append(.whole(shape[axis]))
          axis += 1
        }
      } else if has(newAxis, position) {
        ranges.append(.whole(1))
      } else {
        // The reference ignores positions without a remaining axis, and some models rely on that.
        guard axis < shape.rank else { continue }
        ranges.append(
          try range(
            position, size: shape[axis], begin: begin[position], end: end[position], stride: strides[position],
            error: error))
        axis += 1
      }
    }
    while axis < shape.rank {
      ranges.append(.whole(shape[axis]))
      axis += 1
    }
    return ranges
  }

  private func range(
    _ position: Int, size: Int, begin first: Int, end last: Int, stride: Int, error: (String) -> RuntimeError
  ) throws -> SliceRange {
    guard stride != 0, stride > Int(Int32.min), stride <= Int(Int32.max) else {
      throw error("stride \(stride) of position \(position) must not be 0 and must fit into 32 bits")
    }
    let isForward = stride > 0
    let bounds = isForward ? 0...size : -1...(size - 1)
    func clamped(_ index: Int) -> Int {
      let absolute = index < 0 ? index.addingReportingOverflow(size).partialValue : index
      return min(max(absolute, bounds.lowerBound), bounds.upperBound)
    }
    var start = clamped(first)
    if begin >> position & 1 == 1 { start = isForward ? 0 : size - 1 }
    if shrinkAxis >> position & 1 == 1 {
      let isInside = start >= 0 && start < size
      return SliceRange(size: size, start: isInside ? start : 0, stride: 1, count: isInside ? 1 : 0, isDropped: true)
    }
    var stop = clamped(isEndRelative ? last.addingReportingOverflow(start).partialValue : last)
    if end >> position & 1 == 1 { stop = isForward ? size : -1 }
    let length = isForward ? stop - start : start - stop
    let count = length <= 0 ? 0 : (length - 1) / abs(stride) + 1
    return SliceRange(size: size, start: start, stride: stride, count: count, isDropped: false)
  }
}

/// SLICE: a box of the input.
///
/// - Shapes: input of any rank; begin and size `[rank]`. A size of -1 extends to the end.
/// - Types: data of every type of fixed size, and strings; begin and size int32 or int64.
/// - Source: operator 65 of the model format.
struct SliceOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .slice, versions: 1...8, types: .uniform(TypeSet.movable.types, then: [.int32, .int64]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [Shape(try box(node).map(\.count))] }

  private func box(_ node: NodeView) throws -> [(start: Int, count: Int)] {
    let input = try node.input(0)
    let begin = try node.integers(1)
    let size = try node.integers(2)
    guard begin.count == input.shape.rank, size.count == input.shape.rank else {
      throw node.invalid("begin \(begin) and size \(size) must have one value for each axis of input \(input)")
    }
    return try input.shape.dimensions.enumerated().map { axis, length in
      guard begin[axis] >= 0, begin[axis] <= length, size[axis] >= -1 else {
        throw node.invalid("begin \(begin) and size \(size) leave input \(input) along axis \(axis)")
      }
      let count = size[axis] == -1 ? length - begin[axis] : size[axis]
      guard count <= length - begin[axis] else {
        throw node.invalid("begin \(begin) and size \(size) leave input \(input) along axis \(axis)")
      }
      return (begin[axis], count)
    }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let output = try node.output(0).shape
    guard output.elementCount > 0 else { return .empty }
    if try node.input(0).shape == output { return try .copy(context) }
    let strides = try node.input(0).shape.strides
    let copy = StridedCopy(
      elementBytes: try node.elementBytes(ofInput: 0), counts: output.dimensions, sourceStrides: strides,
      destinationStrides: output.strides,
      sourceStart: zip(try box(node), strides).reduce(0) { $0 &+ $1.0.start &* $1.1 })
    return try PreparedOperator(copy: copy, context)
  }
}
