import SwiftletEngine

/// The part of one axis that a slice takes: `count` steps of `stride` from `start`.
struct SliceRange: Sendable, Hashable {
  /// The axis's size in the input, 1 for an added axis.
  var size: Int
  var start: Int
  var stride: Int
  var count: Int
  /// Whether the result lacks the axis.
  var isDropped: Bool

  static func whole(_ size: Int) -> SliceRange {
    SliceRange(size: size, start: 0, stride: 1, count: size, isDropped: false)
  }
}

/// The options of a strided slice. Bit `i` of a mask speaks of position `i` of begin, end and strides.
struct SliceMasks: Sendable, Hashable {
  /// Begin at the end of the axis from which the stride leads away.
  var begin: Int
  /// Go on to the other end of the axis.
  var end: Int
  /// Stand for as many whole axes as are left.
  var ellipsis: Int
  /// Add an axis of one step.
  var newAxis: Int
  /// Take the single step at begin and drop the axis.
  var shrinkAxis: Int
  /// Ends count from begin.
  var isEndRelative: Bool

  /// The range along every axis of `shape` and every added axis, in order.
  ///
  /// - Throws: what `error` makes of a sentence.
  func ranges(
    of shape: Shape, begin: [Int], end: [Int], strides: [Int], error: (String) -> RuntimeError
  ) throws -> [SliceRange] {
    guard begin.count == end.count, begin.count == strides.count else {
      throw error("begin, end and strides differ in length")
    }
    func has(_ mask: Int, _ position: Int) -> Bool { mask >> position & 1 == 1 }
    let added = begin.indices.count { has(newAxis, $0) && !has(ellipsis, $0) }
    // The first ellipsis takes the axes that no other position speaks of; even one that is left with none takes one.
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
        // The reference passes over positions that no axis is left for, and so do models written for it.
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
