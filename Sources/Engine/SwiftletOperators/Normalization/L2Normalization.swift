import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// L2_NORMALIZATION: divides every row by its Euclidean length.
///
/// - Shapes: any of rank 1 or more; the output has the input's shape.
/// - Types: float32, int8, uint8.
/// - Throws: `RuntimeError.invalidModel` for a fused activation, and for output scales other than 1/128.
/// - Source: operator 11 of the model format.
struct L2NormalizationOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.l2Normalization, versions: 1...2, types: .uniform([.float32, .int8, .uint8]))
  }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    _ = try FusedActivation(node, field: L2NormOptions.fusedActivation, allowed: [.none])
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try node.shapeOfRows()] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: try quantized(context, Int8.self, zeroPoint: 0)
    case .uint8: try quantized(context, UInt8.self, zeroPoint: 128)
    default: try .rows(context, FloatNormalization(), cost: 0.5)
    }
  }

  private func quantized<Quantized: QuantizedValue>(
    _ context: PrepareContext, _ type: Quantized.Type, zeroPoint: Int32
  ) throws -> PreparedOperator {
    let input = try context.node.quantization(ofInput: 0, type)
    let output = try context.node.quantization(ofOutput: 0, type)
    guard output.scale == 1 / 128, output.zeroPoint == zeroPoint else {
      throw context.node.invalid(
        "gives results of scale 1/128 and zero point \(zeroPoint), the model says \(output.scale) and \(output.zeroPoint)"
      )
    }
    return try .rows(
      context, FixedPointNormalization<Quantized>(inputZeroPoint: input.zeroPoint, outputZeroPoint: zeroPoint), cost: 4)
  }
}

private struct FloatNormalization: RowFunction {
  func callAsFunction(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int) {
    var sum: Float = 0
    for index in 0..<count { sum += input[index] * input[index] }
    let length = max(sum.squareRoot(), 1e-6)
    for index in 0..<count { output[index] = input[index] / length }
  }
}

private struct FixedPointNormalization<Quantized: QuantizedValue>: RowFunction {
  let inputZeroPoint: Int32
  let outputZeroPoint: Int32

  func callAsFunction(_ input: UnsafePointer<Quantized>, _ output: UnsafeMutablePointer<Quantized>, count: Int) {
    var sum: Int32 = 0
    for index in 0..<count {
      let value = Int32(truncatingIfNeeded: input[index]) &- inputZeroPoint
      sum &+= value &* value
    }
    var factor = QuantizedMultiplier(inverseSquareRootOf: sum)
    // The factor 128 of the output scale goes into the shift for signed values, into the value for unsigned ones.
    let isSigned = Quantized.isSigned
    if isSigned { factor.shift += 7 }
    for index in 0..<count {
      let value = Int32(truncatingIfNeeded: input[index]) &- inputZeroPoint
      output[index] = Quantized(clamping: factor.apply(isSigned ? value : value &* 128) &+ outputZeroPoint)
    }
  }
}
