import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// SOFTMAX: `exp(beta · x) / Σ exp(beta · x)` along the last dimension.
///
/// - Shapes: any of rank 1 or more; the output has the input's shape.
/// - Types: float32; float16, whose exponentials are rounded before the division, as in the reference; int8 and uint8
///   with 8-bit or int16 results; int16.
/// - Throws: `RuntimeError.invalidModel` for output scales that don't map the type's whole range to 0 … 1.
/// - Source: operator 25 of the model format.
struct SoftmaxOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .softmax, versions: 1...4, floatError: 1e-6,
      types: .uniform([.float32, .float16]) + .one(.int8, to: [.int8, .int16]) + .one(.uint8, to: [.uint8, .int16])
        + .one(.int16, to: .int16))
  }

  let beta: Float

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    beta = try node.options[SoftmaxOptions.beta]
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try node.shapeOfRows()] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    switch (try node.input(0).elementType, try node.output(0).elementType) {
    case (.int8, .int8): return try quantized(context, Int8.self, Int8.self, steps: 256)
    case (.int8, .int16): return try quantized(context, Int8.self, Int16.self)
    case (.uint8, .uint8): return try quantized(context, UInt8.self, UInt8.self)
    case (.uint8, .int16): return try quantized(context, UInt8.self, Int16.self)
    case (.int16, _):
      let input = try node.quantization(ofInput: 0, Int16.self)
      try requireUnitRange(node, Int16.self, steps: 32768)
      return try .rows(context, Int16Softmax(inputScale: input.scale, beta: beta), cost: 8)
    case (.float16, _): return try .rows(context, HalfSoftmax(beta: beta), cost: 12)
    case (.float32, _) where context.options.numerics == .bitExact:
      return try .rows(context, ExactSoftmax(beta: beta), cost: 8)
    default:
      let kernels = context.kernels.elementwise, beta = beta
      context.uses("vector softmax float32")
      return try .floatRows(context, cost: 0.5) { rows, columns, input, output in
        kernels.softmax(rows: rows, columns: columns, input: input, beta: beta, output: output)
      }
    }
  }

  private func quantized<Input: QuantizedValue, Result: QuantizedValue>(
    _ context: PrepareContext, _ input: Input.Type, _ result: Result.Type, steps: Float? = nil
  ) throws -> PreparedOperator {
    let quantization = try context.node.quantization(ofInput: 0, Input.self)
    if let steps { try requireUnitRange(context.node, Result.self, steps: steps) }
    let exponentials = try ExponentialTable(context.node, scale: quantization.scale, beta: beta)
    return try .rows(context, FixedPointSoftmax<Input, Result>(exponentials: exponentials), cost: 6)
  }

  /// Checks the output quantization, because results are computed for one scale and zero point only.
  private func requireUnitRange<Quantized: QuantizedValue>(_ node: NodeView, _ type: Quantized.Type, steps: Float)
    throws
  {
    let output = try node.quantization(ofOutput: 0, type)
    let zeroPoint = Quantized.self == Int16.self ? 0 : Int32(Quantized.min)
    guard output.zeroPoint == zeroPoint, abs(output.scale - 1 / steps) <= 0.001 / steps else {
      throw node.invalid(
        "gives results of scale 1/\(Int(steps)) and zero point \(zeroPoint), but the model has \(output.scale) and \(output.zeroPoint)"
      )
    }
  }
}

private struct HalfSoftmax: RowFunction {
  let beta: Float

  func callAsFunction(_ input: UnsafePointer<Half>, _ output: UnsafeMutablePointer<Half>, count: Int) {
    var largest = -Float.infinity
    for column in 0..<count { largest = max(largest, input[column].floatValue) }
    var sum: Float = 0
    for column in 0..<count {
      let exponential = expf((input[column].floatValue - largest) * beta)
      output[column] = Half(exponential)
      sum += exponential
    }
    for column in 0..<count { output[column] = Half(output[column].floatValue / sum) }
  }
}

/// The reference's three passes with the C library's exponential.
private struct ExactSoftmax: RowFunction {
  let beta: Float

  func callAsFunction(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int) {
    var largest = -Float.greatestFiniteMagnitude
    for column in 0..<count { largest = max(largest, input[column]) }
    var sum: Float = 0
    for column in 0..<count {
      output[column] = expf((input[column] - largest) * beta)
      sum += output[column]
    }
    for column in 0..<count { output[column] /= sum }
  }
}

/// LOG_SOFTMAX: the logarithm of the softmax along the last dimension.
///
/// - Shapes: any of rank 1 or more; the output has the input's shape.
/// - Types: float32, int8, uint8.
/// - Throws: `RuntimeError.invalidModel` for output scales other than 1/16, or if the largest quantized value doesn't
///   represent 0.
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
        "gives results of scale 1/16 and zero point \(Quantized.max), but the model has \(output.scale) and \(output.zeroPoint)"
      )
    }
    let exponentials = try ExponentialTable(context.node, scale: input.scale)
    return try .rows(context, FixedPointLogSoftmax<Quantized>(exponentials), cost: 6)
  }
}

/// The reference's passes with the C library's functions.
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
  /// The multiplier from 5 integer bits back to differences of quantized values.
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
