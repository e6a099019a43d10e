import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// MAXIMUM: the larger of two elements, with broadcasting; the right element if they can't be compared.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, float16, bfloat16, int32, int64; int8, uint8, int16 by their quantized values, regardless of
///   scale.
/// - Source: operator 55 of the model format.
struct MaximumOperator: ArithmeticOperator, QuantizedClampOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .maximum, versions: 1...4,
      types: .uniform([.float32, .float16, .bfloat16, .int8, .uint8, .int16, .int32, .int64]))
  }

  var activation = FusedActivation.none

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  enum Operation: ArithmeticOperation {
    static let kernel = BinaryOperation.maximum

    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element {
      left > right ? left : right
    }
  }

  func prepareQuantized(_ context: PrepareContext, _ type: QuantizedType) throws -> PreparedOperator {
    guard type != .int16 else { return try .binary(context, IntegerArithmetic<Operation, Int16>(.none), cost: 0.2) }
    return try .binary(context, ByteKernel(context, type, .maximum), cost: 0.05)
  }

  func quantizedClamp(_ node: NodeView) throws -> (input: Int, quantized: ClosedRange<Int32>)? {
    try node.constantQuantized().map { (input: $0.other, quantized: $0.quantized...Int32.max) }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try prepareArithmetic(context) }
}

/// MINIMUM: the smaller of two elements, with broadcasting; the right element if they can't be compared.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: float32, float16, bfloat16, int32, int64; int8, uint8, int16 by their quantized values, regardless of
///   scale.
/// - Source: operator 57 of the model format.
struct MinimumOperator: ArithmeticOperator, QuantizedClampOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .minimum, versions: 1...4,
      types: .uniform([.float32, .float16, .bfloat16, .int8, .uint8, .int16, .int32, .int64]))
  }

  var activation = FusedActivation.none

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  enum Operation: ArithmeticOperation {
    static let kernel = BinaryOperation.minimum

    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element {
      left < right ? left : right
    }
  }

  func prepareQuantized(_ context: PrepareContext, _ type: QuantizedType) throws -> PreparedOperator {
    guard type != .int16 else { return try .binary(context, IntegerArithmetic<Operation, Int16>(.none), cost: 0.2) }
    return try .binary(context, ByteKernel(context, type, .minimum), cost: 0.05)
  }

  func quantizedClamp(_ node: NodeView) throws -> (input: Int, quantized: ClosedRange<Int32>)? {
    try node.constantQuantized().map { (input: $0.other, quantized: Int32.min...$0.quantized) }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try prepareArithmetic(context) }
}
