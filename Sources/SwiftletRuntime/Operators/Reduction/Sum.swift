import SwiftletSchema

/// SUM: the sum over some axes.
///
/// - Types: float32, int32, int64, bool; int8, uint8, int16 with any output scale.
/// - Source: operator 74 of the model format. Plain integers wrap; a sum of booleans is their disjunction; the sum of
///   nothing is 0.
struct SumOperator: ReductionOperator {
  static let identity = OperatorIdentity(
    .sum, versions: 1...2, types: .uniform([.float32, .int8, .uint8, .int16, .int32, .int64, .bool], then: .int32))

  let keepsDimensions: Bool

  func reduction(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let input = try node.input(0)
    switch input.elementType {
    case .float32: return try .reduction(FloatSum(divisor: 1, empty: 0), context)
    case .int32: return try .reduction(IntegerSum<Int32>(), context)
    case .int64: return try .reduction(IntegerSum<Int64>(), context)
    case .bool: return try .reduction(LogicalReduction(isConjunction: false), context)
    case .int8: return try quantized(Int8.self, context)
    case .uint8: return try quantized(UInt8.self, context)
    case .int16: return try quantized(Int16.self, context)
    default: throw node.unexpectedType(input)
    }
  }

  private func quantized<Element: FixedWidthInteger & BitwiseCopyable & Sendable>(
    _ type: Element.Type, _ context: PrepareContext
  ) throws -> PreparedOperator {
    let node = context.node
    let plan = ReductionPlan(shape: try node.input(0).shape, isReduced: try ReductionAxes(node).isReduced)
    let rule = QuantizedSum<Element>(
      input: try node.inputQuantization(0), output: try node.outputQuantization(0), count: plan.reducedCount,
      isMean: false)
    return try .reduction(rule, context)
  }
}
