import SwiftletEngine
import SwiftletSchema

/// The reduction of segments.
enum SegmentRule: Sendable {
  case sum, product, maximum, minimum
}

extension PreparedOperator {
  /// Reduces rows of the data into the output rows given by their segment IDs. Rows with a negative segment ID are
  /// ignored.
  ///
  /// - Throws: An error for types other than float32 and int32, and in a run if a segment ID isn't below `segments`.
  static func reducingSegments(
    _ rule: SegmentRule, rows: Int, segments: Int, rowElements: Int, _ context: PrepareContext
  ) throws -> PreparedOperator {
    let reduction = SegmentReduction(rows: rows, segments: segments, rowElements: rowElements)
    switch (try context.node.input(0).elementType, rule) {
    case (.float32, .sum): return try reduction.prepared(Float(0), context) { $0 + $1 }
    case (.float32, .product): return try reduction.prepared(Float(1), context) { $0 * $1 }
    case (.float32, .maximum):
      return try reduction.prepared(-Float.greatestFiniteMagnitude, context) { $0 < $1 ? $1 : $0 }
    case (.float32, .minimum):
      return try reduction.prepared(Float.greatestFiniteMagnitude, context) { $1 < $0 ? $1 : $0 }
    case (.int32, .sum): return try reduction.prepared(Int32(0), context) { $0 &+ $1 }
    case (.int32, .product): return try reduction.prepared(Int32(1), context) { $0 &* $1 }
    case (.int32, .maximum): return try reduction.prepared(Int32.min, context) { max($0, $1) }
    case (.int32, .minimum): return try reduction.prepared(Int32.max, context) { min($0, $1) }
    default: throw context.node.invalid("cannot reduce segments of input \(try context.node.input(0))")
    }
  }
}

private struct SegmentReduction: Sendable {
  var rows: Int
  var segments: Int
  var rowElements: Int

  func prepared<Element: BitwiseCopyable & Sendable>(
    _ initial: Element, _ context: PrepareContext, combining: @escaping @Sendable (Element, Element) -> Element
  ) throws -> PreparedOperator {
    let (source, destination) = (try context.inputSlot(0), try context.outputSlot(0))
    let numbers = try IndexTensor(input: 1, context)
    let location = context.node.node.location
    let lanes = ColumnLanes(columns: rowElements)
    let clearing = PreparedOperator.Stage(items: segments &* rowElements, cost: 0.3) { run, elements in
      (run.pointer(destination, as: Element.self) + elements.lowerBound).update(
        repeating: initial, count: elements.count)
    }
    let reducing = PreparedOperator.Stage.inOrder(lanes: lanes.count, items: rows, cost: lanes.width + 3) {
      run, lane, rows in
      let numbers = numbers.values(run)
      let columns = lanes.range(lane)
      for row in rows {
        let segment = numbers[row]
        guard segment >= 0 else { continue }
        guard segment < segments else {
          throw RuntimeError.index(segment, position: row, size: segments, at: location)
        }
        let from = run.pointer(source, as: Element.self) + row &* rowElements
        let to = run.pointer(destination, as: Element.self) + segment &* rowElements
        for index in columns { to[index] = combining(to[index], from[index]) }
      }
    }
    return PreparedOperator(stages: [clearing] + reducing)
  }
}

/// SEGMENT_SUM: the sums of rows by contiguous segments.
///
/// - Shapes: data `[rows, …]`; segment IDs `[rows]`, which start at 0 and either stay the same or increase by one;
///   output `[segments, …]`, whose size depends on the segment IDs.
/// - Types: data float32 or int32; segment IDs int32.
/// - Source: operator 125 of the model format.
struct SegmentSumOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .segmentSum, versions: 1...1, types: .uniform([.float32, .int32], then: .int32))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let data = try node.input(0)
    guard data.shape.rank >= 1, try node.input(1).shape == [data.shape[0]] else {
      throw node.invalid("segment numbers \(try node.input(1)) must be one for each row of data \(data)")
    }
    let numbers = try node.data(1).bindMemory(to: Int32.self)
    var last = -1
    for number in numbers {
      guard number == last || Int(number) == last + 1, number >= 0 else {
        throw node.invalid("segment numbers must begin at 0 and go up by 0 or 1")
      }
      last = Int(number)
    }
    return [Shape([last + 1] + data.shape.dimensions.dropFirst())]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let data = try context.node.input(0).shape
    return try .reducingSegments(
      .sum, rows: data[0], segments: context.node.output(0).shape[0], rowElements: data.elementCount(1..<data.rank),
      context)
  }
}

/// The common part of UNSORTED_SEGMENT_MAX, MIN, PROD, and SUM: rows reduced by segments in any order.
///
/// - Shapes: data; segment IDs, whose shape is a prefix of the data's shape; the number of segments, one element;
///   output `[segments] + data[numbers.rank...]`.
/// - Types: data float32 or int32; segment IDs and their count int32. Rows with a negative segment ID are ignored.
/// - Throws: An error in a run if a segment ID isn't below the number of segments.
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
    else { throw node.invalid("segment numbers \(numbers), \(segments) of them, are inconsistent with data \(data)") }
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

/// UNSORTED_SEGMENT_SUM: the sum of rows by segment, in any order. An empty segment results in 0.
///
/// - Source: operator 155 of the model format.
struct UnsortedSegmentSumOperator: UnsortedSegmentOperator {
  static var identity: OperatorIdentity { segmentIdentity(.unsortedSegmentSum) }
  static let rule = SegmentRule.sum
  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }
}

/// UNSORTED_SEGMENT_PROD: the product of rows by segment, in any order. An empty segment results in 1.
///
/// - Source: operator 153 of the model format.
struct UnsortedSegmentProdOperator: UnsortedSegmentOperator {
  static var identity: OperatorIdentity { segmentIdentity(.unsortedSegmentProd) }
  static let rule = SegmentRule.product
  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }
}

/// UNSORTED_SEGMENT_MAX: the maximum of rows by segment, in any order. An empty segment results in the lowest finite
/// number.
///
/// - Source: operator 154 of the model format.
struct UnsortedSegmentMaxOperator: UnsortedSegmentOperator {
  static var identity: OperatorIdentity { segmentIdentity(.unsortedSegmentMax) }
  static let rule = SegmentRule.maximum
  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }
}

/// UNSORTED_SEGMENT_MIN: the minimum of rows by segment, in any order. An empty segment results in the highest finite
/// number.
///
/// - Source: operator 157 of the model format.
struct UnsortedSegmentMinOperator: UnsortedSegmentOperator {
  static var identity: OperatorIdentity { segmentIdentity(.unsortedSegmentMin) }
  static let rule = SegmentRule.minimum
  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }
}
