import SwiftletEngine
import SwiftletSchema

// Functions of quantised values compute with 32-bit integers, so that one loop serves tensors of all types of quantised
// values.

extension UnaryLoop {
  /// Integers of at most 32 bits as such of 32 bits.
  fileprivate static func widening(_ type: ElementType) -> UnaryLoop {
    switch type {
    case .int8: Conversion<Int8, Int32>().loop
    case .uint8: Conversion<UInt8, Int32>().loop
    case .int16: Conversion<Int16, Int32>().loop
    default: Conversion<Int32, Int32>().loop
    }
  }

  /// 32-bit integers in the range of `type` as such. The bits of signed and unsigned ones are the same.
  static func narrowing(_ type: ElementType) -> UnaryLoop {
    switch type {
    case .int8, .uint8: Conversion<Int32, Int8>().loop
    case .int16: Conversion<Int32, Int16>().loop
    default: Conversion<Int32, Int32>().loop
    }
  }

  /// `function` from quantised values of one integer type to those of another one; of bytes as a table.
  static func quantized(
    _ context: PrepareContext, from: ElementType, to: ElementType, _ function: some UnaryFunction<Int32, Int32>
  ) -> UnaryLoop {
    guard from.byteWidth == 1 else { return UnaryLoop(widening(from), function.loop, narrowing(to)) }
    context.uses("table of 256 values")
    return ByteTable(isSigned: from == .int8, resultBytes: to.byteWidth ?? 4, function).loop(context.kernels.bytes)
  }
}

private struct Conversion<Input: IntegerElement, Result: IntegerElement>: UnaryFunction {
  @inline(__always)
  func callAsFunction(_ input: Input) -> Result { Result(truncatingIfNeeded: input) }
}

extension PreparedOperator {
  /// One stage that applies a function of quantised values to every element of input 0, whose type the output has.
  ///
  /// - Parameter cost: of int16, in nanoseconds per element; bytes are looked up.
  static func quantized(
    _ context: PrepareContext, _ type: QuantizedType, _ function: some UnaryFunction<Int32, Int32>, cost: Double
  ) throws -> PreparedOperator {
    let loop = UnaryLoop.quantized(context, from: type.elementType, to: type.elementType, function)
    return try unary(context, loop, cost: type == .int16 ? cost : 0.15)
  }
}

extension BinaryRowKernel {
  /// A function of quantised values; operands are of the result's type, if not said otherwise.
  static func quantized<Function: BinaryFunction>(
    _ type: QuantizedType, right: QuantizedType? = nil, _ function: Function
  ) -> BinaryRowKernel where Function.Left == Int32, Function.Right == Int32, Function.Result == Int32 {
    BinaryRowKernel(
      left: .widening(type.elementType), right: .widening((right ?? type).elementType), function.rowKernel,
      result: .narrowing(type.elementType))
  }
}
