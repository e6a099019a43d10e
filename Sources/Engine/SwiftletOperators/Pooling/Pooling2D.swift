import SwiftletEngine
import SwiftletSchema

/// MAX_POOL_2D: the maximum of each window.
///
/// - Shapes, throws: see `PoolingOptions`.
/// - Types: float32, int8, uint8, int16; quantized tensors keep their scale.
/// - Source: operator 17 of the model format.
struct MaxPool2DOperator: FusesActivation {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .maxPool2D, versions: 1...3, types: .uniform([.float32, .int8, .uint8, .int16]))
  }

  private let options: PoolingOptions

  init(parsing node: NodeReader) throws { options = try PoolingOptions(parsing: node) }

  private init(_ options: PoolingOptions) { self.options = options }

  func fusing(_ activation: FusedActivation) -> Self? { options.fusing(activation).map(Self.init) }

  func inferShapes(_ node: NodeView) throws -> [Shape] { try options.shapes(node) }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: return try integer(context, Int8.self)
    case .uint8: return try integer(context, UInt8.self)
    case .int16: return try integer(context, Int16.self)
    default:
      if let pooling = try options.prepare(context, .maximum, Float.self) { return pooling }
      let (lower, upper) = options.activation.floatRange
      return try options.prepare(
        context, Maximum(initial: -Float.greatestFiniteMagnitude, lower: lower, upper: upper))
    }
  }

  private func integer<Quantized: QuantizedValue>(_ context: PrepareContext, _ type: Quantized.Type) throws
    -> PreparedOperator
  {
    let range = try context.node.poolingRange(type, options.activation)
    if let pooling = try options.prepare(context, .maximum, type, range: range) {
      return pooling
    }
    return try options.prepare(
      context,
      Maximum(
        initial: Quantized.min, lower: Quantized(truncatingIfNeeded: range.lowerBound),
        upper: Quantized(truncatingIfNeeded: range.upperBound)))
  }
}

private struct Maximum<Element: Comparable & BitwiseCopyable & Sendable>: PoolingRule {
  let initial: Element
  let lower: Element
  let upper: Element

  func add(_ values: UnsafePointer<Element>, to sums: UnsafeMutablePointer<Element>, count: Int) {
    for index in 0..<count { sums[index] = sums[index] < values[index] ? values[index] : sums[index] }
  }

  func finish(_ sums: UnsafePointer<Element>, taps: Int, into output: UnsafeMutablePointer<Element>, count: Int) {
    for index in 0..<count { output[index] = min(max(sums[index], lower), upper) }
  }
}

/// AVERAGE_POOL_2D: the mean of each window, excluding padding.
///
/// - Shapes, throws: see `PoolingOptions`.
/// - Types: float32, int8, uint8, int16; quantized tensors keep their scale.
/// - Source: operator 1 of the model format.
struct AveragePool2DOperator: FusesActivation {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .averagePool2D, versions: 1...3, floatError: 1e-6, types: .uniform([.float32, .int8, .uint8, .int16]))
  }

  private let options: PoolingOptions

  init(parsing node: NodeReader) throws { options = try PoolingOptions(parsing: node) }

  private init(_ options: PoolingOptions) { self.options = options }

  func fusing(_ activation: FusedActivation) -> Self? { options.fusing(activation).map(Self.init) }

  func inferShapes(_ node: NodeView) throws -> [Shape] { try options.shapes(node) }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: return try integer(context, Int8.self)
    case .uint8: return try integer(context, UInt8.self)
    case .int16: return try integer(context, Int16.self)
    default:
      // The kernels sum in XNNPACK's order, and the plain loops in the reference's order.
      if context.options.numerics == .fast, let pooling = try options.prepare(context, .average, Float.self) {
        return pooling
      }
      return try options.prepare(context, FloatAverage(range: options.activation.floatRange))
    }
  }

  private func integer<Quantized: QuantizedValue>(_ context: PrepareContext, _ type: Quantized.Type) throws
    -> PreparedOperator
  {
    let average = try IntegerAverage<Quantized>(context.node, options.activation)
    if let pooling = try options.prepare(context, .average, type, range: average.range) {
      return pooling
    }
    return try options.prepare(context, average)
  }
}

private struct FloatAverage: PoolingRule {
  let range: (lower: Float, upper: Float)

  var initial: Float { 0 }

  func add(_ values: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count { sums[index] += values[index] }
  }

  func finish(_ sums: UnsafePointer<Float>, taps: Int, into output: UnsafeMutablePointer<Float>, count: Int) {
    let divisor = Float(taps)
    for index in 0..<count { output[index] = min(max(sums[index] / divisor, range.lower), range.upper) }
  }
}

/// An integer average, rounded half away from zero as in the reference.
private struct IntegerAverage<Quantized: QuantizedValue>: PoolingRule {
  let range: ClosedRange<Int32>

  init(_ node: NodeView, _ activation: FusedActivation) throws {
    range = try node.poolingRange(Quantized.self, activation)
  }

  var initial: Int32 { 0 }

  func add(_ values: UnsafePointer<Quantized>, to sums: UnsafeMutablePointer<Int32>, count: Int) {
    for index in 0..<count { sums[index] &+= Int32(truncatingIfNeeded: values[index]) }
  }

  func finish(_ sums: UnsafePointer<Int32>, taps: Int, into output: UnsafeMutablePointer<Quantized>, count: Int) {
    let divisor = Int32(truncatingIfNeeded: max(taps, 1))
    let half = divisor / 2
    for index in 0..<count {
      let sum = sums[index]
      let mean = (sum > 0 ? sum &+ half : sum &- half) / divisor
      output[index] = Quantized(truncatingIfNeeded: min(max(mean, range.lowerBound), range.upperBound))
    }
  }
}

extension NodeView {
  /// Returns the possible quantized values of a pooling operator's output. Only activations need quantization
  /// parameters.
  func poolingRange<Quantized: QuantizedValue>(_ type: Quantized.Type, _ activation: FusedActivation) throws
    -> ClosedRange<Int32>
  {
    guard activation != .none else { return Quantized.range }
    let output = try quantization(ofOutput: 0, Quantized.self)
    return activation.quantizedRange(scale: output.scale, zeroPoint: output.zeroPoint, in: Quantized.range)
  }
}

/// L2_POOL_2D: the root of the mean of squares of each window, excluding padding.
///
/// - Shapes, throws: see `PoolingOptions`.
/// - Types: float32.
/// - Source: operator 12 of the model format.
struct L2Pool2DOperator: FusesActivation {
  static var identity: OperatorIdentity {
    OperatorIdentity(.l2Pool2D, versions: 1...1, types: .uniform([.float32]))
  }

  private let options: PoolingOptions

  init(parsing node: NodeReader) throws { options = try PoolingOptions(parsing: node) }

  private init(_ options: PoolingOptions) { self.options = options }

  func fusing(_ activation: FusedActivation) -> Self? { options.fusing(activation).map(Self.init) }

  func inferShapes(_ node: NodeView) throws -> [Shape] { try options.shapes(node) }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try options.prepare(context, RootMeanSquare(range: options.activation.floatRange))
  }
}

private struct RootMeanSquare: PoolingRule {
  let range: (lower: Float, upper: Float)

  var initial: Float { 0 }

  func add(_ values: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Float>, count: Int) {
    for index in 0..<count { sums[index] += values[index] * values[index] }
  }

  func finish(_ sums: UnsafePointer<Float>, taps: Int, into output: UnsafeMutablePointer<Float>, count: Int) {
    let divisor = Float(taps)
    for index in 0..<count {
      output[index] = min(max((sums[index] / divisor).squareRoot(), range.lower), range.upper)
    }
  }
}
