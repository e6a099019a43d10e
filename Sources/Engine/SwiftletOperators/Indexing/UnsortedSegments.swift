import SwiftletEngine
import SwiftletSchema

/// What UNSORTED_SEGMENT_MAX, MIN, PROD and SUM share: rows reduced by segments in any order.
///
/// - Shapes: data; numbers, whose shape the data's begins with; the number of segments, one element; output
///   `[segments] + data[numbers.rank...]`.
/// - Types: data float32 or int32; numbers and their count int32. Rows with a negative number are left out.
/// - Throws: in a run, when a number is not below the number of segments.
protocol UnsortedSegmentOperator: Operator {
  static var rule: SegmentRule { get }
}

extension UnsortedSegmentOperator {
  static func segmentIdentity(_ builtin: BuiltinOperator) -> OperatorIdentity {
    OperatorIdentity(builtin, versions: 1...1, types: .uniform([.float32, .int32], then: .int32))
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let data = try node.input(0)
    let numbers = try node.input(1)
    let segments = try node.integer(2)
    guard segments >= 0, numbers.shape.rank <= data.shape.rank,
      data.shape.dimensions.prefix(numbers.shape.rank) == numbers.shape.dimensions[...]
    else { throw node.invalid("segment numbers \(numbers), \(segments) of them, do not fit data \(data)") }
    return [Shape([segments] + data.shape.dimensions.dropFirst(numbers.shape.rank))]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let data = try context.node.input(0).shape
    let numbers = try context.node.input(1).shape
    return try .reducingSegments(
      Self.rule, rows: numbers.elementCount, segments: context.node.output(0).shape[0],
      rowElements: data.elementCount(numbers.rank..<data.rank), context)
  }
}

/// UNSORTED_SEGMENT_SUM: the sum of rows by segments, in any order; an empty segment gives 0.
///
/// - Source: operator 155 of the model format.
struct UnsortedSegmentSumOperator: UnsortedSegmentOperator {
  static var identity: OperatorIdentity { segmentIdentity(.unsortedSegmentSum) }
  static let rule = SegmentRule.sum
  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }
}

/// UNSORTED_SEGMENT_PROD: the product of rows by segments, in any order; an empty segment gives 1.
///
/// - Source: operator 153 of the model format.
struct UnsortedSegmentProdOperator: UnsortedSegmentOperator {
  static var identity: OperatorIdentity { segmentIdentity(.unsortedSegmentProd) }
  static let rule = SegmentRule.product
  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }
}

/// UNSORTED_SEGMENT_MAX: the largest element of rows by segments, in any order; an empty segment gives the lowest
/// finite number.
///
/// - Source: operator 154 of the model format.
struct UnsortedSegmentMaxOperator: UnsortedSegmentOperator {
  static var identity: OperatorIdentity { segmentIdentity(.unsortedSegmentMax) }
  static let rule = SegmentRule.maximum
  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }
}

/// UNSORTED_SEGMENT_MIN: the smallest element of rows by segments, in any order; an empty segment gives the highest
/// finite number.
///
/// - Source: operator 157 of the model format.
struct UnsortedSegmentMinOperator: UnsortedSegmentOperator {
  static var identity: OperatorIdentity { segmentIdentity(.unsortedSegmentMin) }
  static let rule = SegmentRule.minimum
  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }
}
