import SwiftletEngine
import SwiftletSchema

/// The common part of all reductions: the data, the axes as the second input, and the option to keep the reduced axes
/// as dimensions of size one.
///
/// - Shapes: output like input 0 without the reduced axes, or with 1 in their place. Negative axes count from the back,
///   and repeated ones count once. A scalar has no axes and is returned unchanged.
protocol ReductionOperator: Operator {
  init(keepsDimensions: Bool)
  var keepsDimensions: Bool { get }

  /// Returns the reduction for the types of this node.
  func reduction(_ context: PrepareContext) throws -> PreparedOperator
}

extension ReductionOperator {
  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    self.init(keepsDimensions: try node.options[ReducerOptions.keepDimensions])
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    [try ReductionAxes(node).outputShape(of: try node.input(0).shape, keepsDimensions: keepsDimensions)]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    for spec in [try node.input(0), try node.output(0)] where spec.elementType == .int16 {
      guard (spec.quantization?.zeroPoints.first ?? 0) == 0 else {
        throw node.invalid("\(spec) must have zero point 0, as every int16 tensor")
      }
    }
    try node.requireOutputs(try inferShapes(node))
    return try reduction(context)
  }
}

extension NodeView {
  /// Returns the error for an element type that the operator's identity accepts but its preparation doesn't support.
  func unexpectedType(_ spec: TensorSpec) -> RuntimeError {
    RuntimeError(.unsupportedOperators, "does not take \(spec)", location: node.location)
  }
}

/// MEAN: the average over some axes.
///
/// - Types: float32, int32, int64; int8, uint8, int16 with any output scale.
/// - Source: operator 40 of the model format. Integer averages are truncated toward zero. The mean of no elements is
///   NaN, or 0 for integers. In fast numerics, float32 sums are multiplied by one over the count, as in XNNPACK,
///   whereas the reference divides.
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

/// SUM: the sum over some axes.
///
/// - Types: float32, int32, int64, bool; int8, uint8, int16 with any output scale.
/// - Source: operator 74 of the model format. Plain integers wrap. A sum of Booleans is their logical OR. The sum of no
///   elements is 0. uint8 is rescaled in fixed point, as in the reference; int8 and int16 are rescaled in single
///   precision, as in the reference runtime's default kernel.
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

/// REDUCE_PROD: the product over some axes.
///
/// - Types: float32, int32, int64, bool; int8 and int16 plain or quantized; uint8 plain.
/// - Source: operator 81 of the model format. Plain integers wrap. A product of Booleans is their logical AND. The
///   product of no elements is 1.
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

/// REDUCE_MAX: the largest element over some axes.
///
/// - Types: float32, int8, uint8, int16, int32, int64, bool. Quantized outputs have the input's scale and zero point.
/// - Source: operator 82 of the model format. The maximum of no elements is the lowest finite number of the type. A
///   number always takes precedence over NaN.
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

/// REDUCE_MIN: the smallest element over some axes.
///
/// - Types: float32, int8, uint8, int16, int32, int64, bool. Quantized outputs have the input's scale and zero point.
/// - Source: operator 89 of the model format. The minimum of no elements is the highest finite number of the type. A
///   number always takes precedence over NaN.
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

/// REDUCE_ALL: whether every element over some axes is true.
///
/// - Types: bool.
/// - Source: operator 140 of the model format. The result for no elements is true.
struct ReduceAllOperator: ReductionOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.reduceAll, versions: 1...1, types: .uniform([.bool], then: .int32))
  }

  let keepsDimensions: Bool

  func reduction(_ context: PrepareContext) throws -> PreparedOperator {
    try .reduction(Conjunction(), context)
  }
}

/// REDUCE_ANY: whether any element over some axes is true.
///
/// - Types: bool.
/// - Source: operator 91 of the model format. The result for no elements is false.
struct ReduceAnyOperator: ReductionOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.reduceAny, versions: 1...1, types: .uniform([.bool], then: .int32))
  }

  let keepsDimensions: Bool

  func reduction(_ context: PrepareContext) throws -> PreparedOperator {
    try .reduction(Disjunction(), context)
  }
}
