import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// MUL: `activation(left × right)`, with broadcasting.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, float16, int32, uint32, int64, complex64, int16 without quantization; int8, uint8, int16 quantized
///   per tensor; int16 with an int8 or uint8 output.
/// - Source: operator 18 of the model format.
struct MultiplyOperator: ArithmeticOperator, EpilogueOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .mul, versions: 1...8,
      types: .uniform([.float32, .float16, .int8, .uint8, .int16, .int32, .uint32, .int64, .complex64])
        + .one(.int16, to: [.int8, .uint8]))
  }

  var activation: FusedActivation

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    activation = try FusedActivation(node, field: MulOptions.fusedActivation)
  }

  enum Operation: ArithmeticOperation {
    static let kernel = BinaryOperation.multiply

    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element { left &* right }
  }

  func epilogueStep(_ node: NodeView, ofInput index: Int) throws -> EpilogueStep? {
    try node.epilogueStep(.multiply, ofInput: index, clamp: activation)
  }

  func prepareQuantized(_ context: PrepareContext, _ type: QuantizedType) throws -> PreparedOperator {
    let node = context.node
    let left = try node.quantization(ofInput: 0, type)
    let right = try node.quantization(ofInput: 1, type)
    let output = try node.quantization(ofOutput: 0, type)
    let range = OutputRange(output, activation, type)
    let factor = left.scale * right.scale / output.scale
    if context.options.numerics == .bitExact {
      let product = ExactProduct(
        multiplier: QuantizedMultiplier(factor), leftZeroPoint: left.zeroPoint, rightZeroPoint: right.zeroPoint,
        range: range)
      return try .binary(context, .quantized(type, product), cost: 3)
    }
    if type != .int16 {
      let kernel = ByteKernel(
        context, type, .multiply(factor: factor), leftZeroPoint: left.zeroPoint, rightZeroPoint: right.zeroPoint,
        range: range
      )
      return try .binary(context, kernel, cost: 0.1)
    }
    let kernel = Int16Kernel(
      context, .product, Float(left.zeroPoint), Float(right.zeroPoint), factor, Float(output.zeroPoint), range: range)
    return try .binary(context, kernel, cost: 0.15)
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let input = try node.input(0).elementType
    switch (input, try node.output(0).elementType) {
    case (.complex64, _):
      guard activation == .none else {
        throw node.invalid("has an activation, which is not supported for complex numbers")
      }
      return try .binary(context, ComplexProduct(), cost: 1)
    case (.int16, .int8): return try prepareNarrowing(context, .int8)
    case (.int16, .uint8): return try prepareNarrowing(context, .uint8)
    default: return try prepareArithmetic(context)
    }
  }

  private func prepareNarrowing(_ context: PrepareContext, _ type: QuantizedType) throws -> PreparedOperator {
    let output = try context.node.quantization(ofOutput: 0, type)
    return try .binary(context, NarrowingProduct(range: OutputRange(output, activation, type)), cost: 2)
  }
}

/// The reference's fixed-point product.
private struct ExactProduct: BinaryFunction {
  let multiplier: QuantizedMultiplier
  let leftZeroPoint: Int32
  let rightZeroPoint: Int32
  let range: OutputRange

  @inline(__always)
  func callAsFunction(_ left: Int32, _ right: Int32) -> Int32 {
    range.quantized(multiplier.apply((left &- leftZeroPoint) &* (right &- rightZeroPoint)))
  }
}

/// The product of two 15-bit fractions, rounded to the upper 8 bits, regardless of scale. The result is the bit pattern
/// of a quantized value of either output type.
private struct NarrowingProduct: BinaryFunction {
  let range: OutputRange

  @inline(__always)
  func callAsFunction(_ left: Int16, _ right: Int16) -> UInt8 {
    let product: Int16 = FixedPoint.saturatingRoundingDoublingHighMultiply(left, right)
    return range.quantized(FixedPoint.roundingDivide(Int32(product), byPowerOfTwo: 8))
  }
}

private struct ComplexProduct: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: ComplexFloat, _ right: ComplexFloat) -> ComplexFloat {
    ComplexFloat(
      real: left.real * right.real - left.imaginary * right.imaginary,
      imaginary: left.real * right.imaginary + left.imaginary * right.real)
  }
}

extension NodeView {
  /// Returns the constant quantized value of one input of a node with two 8-bit inputs, and the index of the other
  /// input, which must have the output shape. Returns `nil` if no input is such a constant.
  func constantQuantized() throws -> (other: Int, quantized: Int32)? {
    guard inputCount == 2 else { return nil }
    for index in 0...1 {
      let (constant, other) = (try input(index), try input(1 - index))
      guard isConstant(index), constant.shape.elementCount == 1, try other.shape == output(0).shape,
        let byte = self.constant(index)?.first
      else { continue }
      switch other.elementType {
      case .int8: return (1 - index, Int32(Int8(bitPattern: byte)))
      case .uint8: return (1 - index, Int32(byte))
      default: return nil
      }
    }
    return nil
  }
}
