import SwiftletEngine
import SwiftletSchema

/// SUM: the sum over some axes.
///
/// - Types: float32, int32, int64, bool; int8, uint8, int16 with any output scale.
/// - Source: operator 74 of the model format. Plain integers wrap; a sum of booleans is their disjunction; the sum of
///   nothing is 0. uint8 is rescaled in fixed point as by the reference, int8 and int16 in single precision, as by the
///   reference runtime's default kernel.
struct SumOperator: SummingReduction {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .sum, versions: 1...2, floatError: 1e-6,
      types: .uniform([.float32, .int8, .uint8, .int16, .int32, .int64, .bool], then: .int32))
  }

  let keepsDimensions: Bool
  var squares = false

  init(keepsDimensions: Bool) { self.keepsDimensions = keepsDimensions }

  func reduction(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let input = try node.input(0)
    let count = ReductionPlan(shape: input.shape, isReduced: try ReductionAxes(node).isReduced).reducedCount
    switch input.elementType {
    case .float32: return try .reduction(FloatSum(divisor: 1, empty: 0, squares: squares), context)
    case .int32: return try .reduction(IntegerSum<Int32>(), context)
    case .int64: return try .reduction(IntegerSum<Int64>(), context)
    case .bool: return try .reduction(Disjunction(), context)
    case .int8: return try .quantizedSum(Int8.self, context, count: count, isMean: false)
    case .uint8: return try .quantizedSum(UInt8.self, context, count: count, isMean: false)
    case .int16: return try .quantizedSum(Int16.self, context, count: count, isMean: false)
    default: throw node.unexpectedType(input)
    }
  }
}
