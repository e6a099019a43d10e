import SwiftletEngine
import SwiftletSchema

/// L2_POOL_2D: the root of the mean of the squares under a window; padding does not count.
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
