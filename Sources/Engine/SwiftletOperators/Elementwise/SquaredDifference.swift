import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// SQUARED_DIFFERENCE: `(left - right)²`, with broadcasting.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, int32; int8 quantized per tensor.
/// - Source: operator 99 of the model format.
struct SquaredDifferenceOperator: ArithmeticOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .squaredDifference, versions: 1...2, types: .uniform([.float32, .int8, .int32]))
  }

  var activation = FusedActivation.none

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  enum Operation: ArithmeticOperation {
    static let kernel = BinaryOperation.squaredDifference

    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element {
      (left &- right) &* (left &- right)
    }
  }

  func prepareQuantized(_ context: PrepareContext, _ type: QuantizedType) throws -> PreparedOperator {
    let left = try context.node.quantization(ofInput: 0, type)
    let right = try context.node.quantization(ofInput: 1, type)
    let output = try context.node.quantization(ofOutput: 0, type)
    let range = OutputRange(output, type)
    if context.options.numerics == .bitExact {
      let function = ExactSquaredDifference(left: left, right: right, output: output, range: range)
      return try .binary(context, .quantized(type, function), cost: 6)
    }
    let function = FastSquaredDifference(left: left, right: right, output: output, range: range)
    return try .binary(context, .quantized(type, function), cost: 0.6)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try prepareArithmetic(context) }
}

/// The reference's arithmetic: both inputs at twice the larger scale with 7 fraction bits.
private struct ExactSquaredDifference: BinaryFunction {
  private let leftMultiplier: QuantizedMultiplier
  private let rightMultiplier: QuantizedMultiplier
  private let outputMultiplier: QuantizedMultiplier
  private let leftZeroPoint: Int32
  private let rightZeroPoint: Int32
  private let range: OutputRange
  private static var headroom: Int32 { 7 }

  init(left: TensorQuantization, right: TensorQuantization, output: TensorQuantization, range: OutputRange) {
    let common = Double(2 * max(left.scale, right.scale))
    leftMultiplier = QuantizedMultiplier(Double(left.scale) / common)
    rightMultiplier = QuantizedMultiplier(Double(right.scale) / common)
    outputMultiplier = QuantizedMultiplier(common * common / Double(16384 * output.scale))
    leftZeroPoint = left.zeroPoint
    rightZeroPoint = right.zeroPoint
    self.range = range
  }

  @inline(__always)
  func callAsFunction(_ left: Int32, _ right: Int32) -> Int32 {
    let first = leftMultiplier.apply((left &- leftZeroPoint) &<< Self.headroom)
    let second = rightMultiplier.apply((right &- rightZeroPoint) &<< Self.headroom)
    return range.quantized(outputMultiplier.apply((first &- second) &* (first &- second)))
  }
}

private struct FastSquaredDifference: BinaryFunction {
  private let left: TensorQuantization
  private let right: TensorQuantization
  private let factor: Float
  private let range: OutputRange

  init(left: TensorQuantization, right: TensorQuantization, output: TensorQuantization, range: OutputRange) {
    self.left = left
    self.right = right
    factor = 1 / output.scale
    self.range = range
  }

  @inline(__always)
  func callAsFunction(_ left: Int32, _ right: Int32) -> Int32 {
    let first = Float(left &- self.left.zeroPoint) * self.left.scale
    let second = Float(right &- self.right.zeroPoint) * self.right.scale
    let difference = first - second
    return range.quantized(rounding: difference * difference * factor + Float(range.zeroPoint))
  }
}
