import SwiftletBase
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
        "gives results of scale 1/128 and zero point \(zeroPoint), but the model has \(output.scale) and \(output.zeroPoint)"
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
    // The factor 128 of the output scale is added to the shift for signed values, and to the value for unsigned values.
    let isSigned = Quantized.isSigned
    if isSigned { factor.shift += 7 }
    for index in 0..<count {
      let value = Int32(truncatingIfNeeded: input[index]) &- inputZeroPoint
      output[index] = Quantized(clamping: factor.apply(isSigned ? value : value &* 128) &+ outputZeroPoint)
    }
  }
}

/// LOCAL_RESPONSE_NORMALIZATION: divides every element by a power of the sum of squares around it, along the last
/// dimension.
///
/// - Shapes: rank 4; the output has the input's shape.
/// - Types: float32.
/// - Source: operator 13 of the model format. The window has `radius` elements on both sides, as in the original
///   definition and in the reference runtime's default kernel. (Its plain kernel omits the last element.)
struct LocalResponseNormalizationOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .localResponseNormalization, versions: 1...1, floatError: 1e-6, types: .uniform([.float32]))
  }

  private let function: ResponseNormalization

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    let radius = try node.options[LocalResponseNormalizationOptions.radius]
    guard radius >= 0 else { throw node.invalid("has a negative radius, \(radius)") }
    function = ResponseNormalization(
      radius: radius, bias: try node.options[LocalResponseNormalizationOptions.bias],
      alpha: try node.options[LocalResponseNormalizationOptions.alpha],
      beta: try node.options[LocalResponseNormalizationOptions.beta]
    )
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    guard input.shape.rank == 4 else { throw node.invalid("takes an input of rank 4, got \(input)") }
    return [input.shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let shape = try context.node.input(0).shape
    let (source, destination) = (try context.inputSlot(0), try context.outputSlot(0))
    let channels = shape.innermost
    // Wide windows are most of the work.
    let window = min(Double(channels), 2 * Double(function.radius) + 1)
    return PreparedOperator(items: shape.elementCount, cost: 20 + window) { [function] run, elements in
      function.apply(
        run.pointer(source, as: Float.self), run.pointer(destination, as: Float.self), channels: channels,
        elements: elements)
    }
  }
}

private struct ResponseNormalization: Sendable {
  let radius: Int
  let bias: Float
  let alpha: Float
  let beta: Float

  /// Normalizes a range of elements in rows of `channels`.
  func apply(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, channels: Int, elements: Range<Int>)
  {
    var channel = elements.lowerBound % max(1, channels)
    for index in elements {
      var sum: Float = 0
      for neighbor in index &- min(radius, channel)...index &+ min(radius, channels &- 1 &- channel) {
        sum += input[neighbor] * input[neighbor]
      }
      output[index] = input[index] * powf(bias + alpha * sum, -beta)
      channel = channel &+ 1 == channels ? 0 : channel &+ 1
    }
  }
}
