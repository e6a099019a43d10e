import SwiftletEngine
import SwiftletSchema

/// REDUCE_PROD: the product over some axes.
///
/// - Types: float32, int32, int64, bool; int8 and int16 plain or quantised; uint8 plain.
/// - Source: operator 81 of the model format. Plain integers wrap; a product of booleans is their conjunction; the
///   product of nothing is 1.
struct ReduceProdOperator: ReductionOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .reduceProd, versions: 1...2, floatError: 1e-6,
      types: .uniform([.float32, .int8, .uint8, .int16, .int32, .int64, .bool], then: .int32))
  }

  let keepsDimensions: Bool

  func reduction(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let input = try node.input(0)
    let isQuantized = input.quantization != nil
    switch input.elementType {
    case .float32: return try .reduction(FloatProduct(), context)
    case .int32: return try .reduction(IntegerProduct<Int32>(), context)
    case .int64: return try .reduction(IntegerProduct<Int64>(), context)
    case .bool: return try .reduction(Conjunction(), context)
    case .int8 where isQuantized: return try quantized(Int8.self, context)
    case .int16 where isQuantized: return try quantized(Int16.self, context)
    case .int8: return try .reduction(IntegerProduct<Int8>(), context)
    case .int16: return try .reduction(IntegerProduct<Int16>(), context)
    case .uint8 where !isQuantized: return try .reduction(IntegerProduct<UInt8>(), context)
    default: throw node.unexpectedType(input)
    }
  }

  private func quantized<Element: FixedWidthInteger & BitwiseCopyable & Sendable>(
    _ type: Element.Type, _ context: PrepareContext
  ) throws -> PreparedOperator {
    let node = context.node
    let plan = ReductionPlan(shape: try node.input(0).shape, isReduced: try ReductionAxes(node).isReduced)
    let rule = QuantizedProduct<Element>(
      input: try node.inputQuantization(0), output: try node.outputQuantization(0), count: plan.reducedCount)
    return try .reduction(rule, context, cost: 3)
  }
}
