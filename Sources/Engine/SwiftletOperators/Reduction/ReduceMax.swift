import SwiftletEngine
import SwiftletSchema

/// REDUCE_MAX: the largest element over some axes.
///
/// - Types: float32, int8, uint8, int16, int32, int64, bool. Quantised outputs have the input's scale and zero point.
/// - Source: operator 82 of the model format. Of nothing, the result is the lowest finite number of the type. A NaN
///   never wins against a number.
struct ReduceMaxOperator: ReductionOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .reduceMax, versions: 1...3,
      types: .uniform([.float32, .int8, .uint8, .int16, .int32, .int64, .bool], then: .int32))
  }

  let keepsDimensions: Bool

  func reduction(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let input = try node.input(0)
    try node.requireSameQuantization()
    switch input.elementType {
    case .float32: return try .reduction(FloatMaximum(), context)
    case .int8: return try .reduction(IntegerMaximum<Int8>(), context)
    case .uint8: return try .reduction(IntegerMaximum<UInt8>(), context)
    case .int16: return try .reduction(IntegerMaximum<Int16>(), context)
    case .int32: return try .reduction(IntegerMaximum<Int32>(), context)
    case .int64: return try .reduction(IntegerMaximum<Int64>(), context)
    case .bool: return try .reduction(Disjunction(), context)
    default: throw node.unexpectedType(input)
    }
  }
}
