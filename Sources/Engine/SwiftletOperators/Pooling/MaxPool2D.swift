import SwiftletEngine
import SwiftletSchema

/// MAX_POOL_2D: the largest element under a window.
///
/// - Shapes, throws: see `PoolingOptions`.
/// - Types: float32, int8, uint8, int16; quantised tensors keep their scale.
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
    if Quantized.bitWidth == 8, let pooling = try options.prepare(context, .maximum, type, range: range) {
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
