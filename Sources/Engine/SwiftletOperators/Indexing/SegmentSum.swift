import SwiftletEngine
import SwiftletSchema

/// SEGMENT_SUM: rows added up by segments, which follow each other.
///
/// - Shapes: data `[rows, …]`; numbers `[rows]`, from 0, each the one before or one more; output `[segments, …]`, whose
///   size follows from the numbers.
/// - Types: data float32 or int32; numbers int32.
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
