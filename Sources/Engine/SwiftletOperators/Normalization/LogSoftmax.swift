import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// LOG_SOFTMAX: the logarithm of the softmax along the last dimension.
///
/// - Shapes: any of rank 1 or more; the output has the input's shape.
/// - Types: float32, int8, uint8.
/// - Throws: `RuntimeError.invalidModel` for output scales other than 1/16 with the largest quantised value for 0.
/// - Source: operator 50 of the model format.
struct LogSoftmaxOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .logSoftmax, versions: 1...2, floatError: 1e-6, types: .uniform([.float32, .int8, .uint8]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1) }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try node.shapeOfRows()] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: return try quantized(context, Int8.self)
    case .uint8: return try quantized(context, UInt8.self)
    case .float32 where context.options.numerics == .bitExact: return try .rows(context, ExactLogSoftmax(), cost: 8)
    default:
      let kernels = context.kernels.elementwise
      context.uses("vector softmax float32")
      return try .floatRows(context, cost: 0.5) { rows, columns, input, output in
        kernels.logSoftmax(rows: rows, columns: columns, input: input, output: output)
      }
    }
  }

  private func quantized<Quantized: QuantizedValue>(_ context: PrepareContext, _ type: Quantized.Type) throws
    -> PreparedOperator
  {
    let input = try context.node.quantization(ofInput: 0, type)
    let output = try context.node.quantization(ofOutput: 0, type)
    guard output.scale == 1 / 16, output.zeroPoint == Int32(Quantized.max) else {
      throw context.node.invalid(
        "gives results of scale 1/16 and zero point \(Quantized.max), the model says \(output.scale) and \(output.zeroPoint)"
      )
    }
    let exponentials = try ExponentialTable(context.node, scale: input.scale)
    return try .rows(context, FixedPointLogSoftmax<Quantized>(exponentials), cost: 6)
  }
}

/// The reference's passes, with the C library's functions.
private struct ExactLogSoftmax: RowFunction {
  func callAsFunction(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int) {
    var largest = -Float.greatestFiniteMagnitude
    for column in 0..<count { largest = max(largest, input[column]) }
    var sum: Float = 0
    for column in 0..<count { sum += expf(input[column] - largest) }
    let logarithm = logf(sum)
    for column in 0..<count { output[column] = input[column] - largest - logarithm }
  }
}

/// The reference's fixed-point logarithm of the softmax.
private struct FixedPointLogSoftmax<Quantized: QuantizedValue>: RowFunction {
  private let exponentials: ExponentialTable
  /// From 5 integer bits back to differences of quantised values.
  private let inverse: QuantizedMultiplier

  init(_ exponentials: ExponentialTable) {
    self.exponentials = exponentials
    let multiplier = exponentials.multiplier
    inverse = QuantizedMultiplier(Double(1 << (31 - Int(multiplier.shift))) / Double(multiplier.multiplier))
  }

  func callAsFunction(_ input: UnsafePointer<Quantized>, _ output: UnsafeMutablePointer<Quantized>, count: Int) {
    let largest = input.largest(count)
    let logarithm = FixedPoint.logarithm(exponentials.sum(input, count: count, largest: largest))
    let smallest = max(exponentials.smallestDifference &- 1, inverse.apply(logarithm &+ Int32.min))
    for index in 0..<count {
      let difference = Int32(truncatingIfNeeded: input[index]) &- largest
      guard difference > smallest else {
        output[index] = .min
        continue
      }
      let value = FixedPoint.roundingDivide(exponentials.multiplier.apply(difference) &- logarithm, byPowerOfTwo: 22)
      output[index] = Quantized(clamping: value &+ Int32(Quantized.max))
    }
  }
}
