import SwiftletEngine
import SwiftletSchema

/// MEAN: the average over some axes.
///
/// - Types: float32, int32, int64; int8, uint8, int16 with any output scale.
/// - Source: operator 40 of the model format. Integers are averaged towards zero; the mean of nothing is NaN, or 0 for
///   integers. Fast numerics multiplies float32 sums by one over the count, as XNNPACK does, where the reference divides.
struct MeanOperator: SummingReduction {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .mean, versions: 1...3, floatError: 1e-6,
      types: .uniform([.float32, .int8, .uint8, .int16, .int32, .int64], then: .int32))
  }

  let keepsDimensions: Bool
  var squares = false

  init(keepsDimensions: Bool) { self.keepsDimensions = keepsDimensions }

  func reduction(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let input = try node.input(0)
    let plan = ReductionPlan(shape: input.shape, isReduced: try ReductionAxes(node).isReduced)
    let count = plan.reducedCount
    switch input.elementType {
    case .float32: return try .reduction(FloatSum(divisor: Float(count), empty: .nan, squares: squares), context)
    case .int32: return try .reduction(IntegerMean<Int32>(count: Int64(max(count, 1))), context)
    case .int64: return try .reduction(IntegerMean<Int64>(count: Int64(max(count, 1))), context)
    case .int8: return try .quantizedSum(Int8.self, context, count: count, isMean: true)
    case .uint8: return try .quantizedSum(UInt8.self, context, count: count, isMean: true)
    case .int16: return try .quantizedSum(Int16.self, context, count: count, isMean: true)
    default: throw node.unexpectedType(input)
    }
  }
}
