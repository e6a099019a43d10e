import SwiftletEngine
import SwiftletSchema

/// REDUCE_MIN: the smallest element over some axes.
///
/// - Types: float32, int8, uint8, int16, int32, int64, bool. Quantised outputs have the input's scale and zero point.
/// - Source: operator 89 of the model format. Of nothing, the result is the highest finite number of the type. A NaN
///   never wins against a number.
struct ReduceMinOperator: ReductionOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .reduceMin, versions: 1...3,
      types: .uniform([.float32, .int8, .uint8, .int16, .int32, .int64, .bool], then: .int32))
  }

  let keepsDimensions: Bool

  func reduction(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let input = try node.input(0)
    try node.requireSameQuantization()
    switch input.elementType {
    case .float32: return try .reduction(FloatMinimum(), context)
    case .int8: return try .reduction(IntegerMinimum<Int8>(), context)
    case .uint8: return try .reduction(IntegerMinimum<UInt8>(), context)
    case .int16: return try .reduction(IntegerMinimum<Int16>(), context)
    case .int32: return try .reduction(IntegerMinimum<Int32>(), context)
    case .int64: return try .reduction(IntegerMinimum<Int64>(), context)
    case .bool: return try .reduction(Conjunction(), context)
    default: throw node.unexpectedType(input)
    }
  }
}
