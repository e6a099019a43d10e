import SwiftletEngine
import SwiftletSchema

/// FAKE_QUANT: real numbers quantized and dequantized again.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32.
/// - Source: operator 80 of the model format. The range is shifted so that 0 is one of its steps. A narrow range, which
///   the reference runtime rejects, has one step less.
struct FakeQuantizeOperator: UnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.fakeQuant, versions: 1...2, types: .uniform([.float32]))
  }

  private let function: Rounding

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    let lower = try node.options[FakeQuantOptions.minimum], upper = try node.options[FakeQuantOptions.maximum]
    let bits = try node.options[FakeQuantOptions.bitCount]
    guard (2...16).contains(bits), lower.isFinite, upper.isFinite, lower < upper else {
      throw node.invalid(
        "rounds \(lower) to \(upper) to \(bits) bits; the range must not be empty, the bits be 2 to 16")
    }
    let first: Float = try node.options[FakeQuantOptions.narrowRange] ? 1 : 0
    function = Rounding(lower: lower, upper: upper, first: first, last: Float((1 << bits) - 1))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try .unary(context, function, cost: 2) }

  private struct Rounding: UnaryFunction {
    let lower: Float
    let upper: Float
    let scale: Float
    let inverseScale: Float

    init(lower: Float, upper: Float, first: Float, last: Float) {
      scale = (upper - lower) / (last - first)
      inverseScale = 1 / scale
      let zeroPoint = min(max((first - lower / scale).rounded(.toNearestOrAwayFromZero), first), last)
      self.lower = (first - zeroPoint) * scale
      self.upper = (last - zeroPoint) * scale
    }

    @inline(__always)
    func callAsFunction(_ input: Float) -> Float {
      let raised = input < lower ? lower : input
      let clamped = raised > upper ? upper : raised
      return ((clamped - lower) * inverseScale).rounded(.toNearestOrAwayFromZero) * scale + lower
    }
  }
}

/// DENSIFY: a sparse constant with all its elements.
///
/// - Shapes: any; the output has the input's shape.
/// - Types: float32, float16, int8.
/// - Source: operator 124 of the model format. Sparse constants are already converted to dense ones when the model is
///   read.
struct DensifyOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.densify, versions: 1...1, types: .uniform([.float32, .float16, .int8]))
  }

  init() {}

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try .copy(context) }
}
