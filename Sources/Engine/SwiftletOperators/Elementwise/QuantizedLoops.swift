import SwiftletEngine
import SwiftletSchema

// Functions of quantized values compute with 32-bit integers, so that one loop serves tensors of all quantized types.

extension UnaryLoop {
  /// Returns a loop that converts integers of at most 32 bits to 32 bits.
  fileprivate static func widening(_ type: ElementType) -> UnaryLoop {
    switch type {
    case .int8: Conversion<Int8, Int32>().loop
    case .uint8: Conversion<UInt8, Int32>().loop
    case .int16: Conversion<Int16, Int32>().loop
    default: Conversion<Int32, Int32>().loop
    }
  }

  /// Returns a loop that converts 32-bit integers to `type`, which must contain them. Signed and unsigned types have
  /// the same bits.
  static func narrowing(_ type: ElementType) -> UnaryLoop {
    switch type {
    case .int8, .uint8: Conversion<Int32, Int8>().loop
    case .int16: Conversion<Int32, Int16>().loop
    default: Conversion<Int32, Int32>().loop
    }
  }

  /// Returns a loop that applies `function` to quantized values of one integer type with results of another; a lookup
  /// table for 8-bit types.
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
  /// Creates one stage that applies a function of quantized values to every element of input 0. The output has the same
  /// type.
  ///
  /// - Parameter cost: The time per int16 element in nanoseconds. 8-bit elements are looked up.
  static func quantized(
    _ context: PrepareContext, _ type: QuantizedType, _ function: some UnaryFunction<Int32, Int32>, cost: Double
  ) throws -> PreparedOperator {
    let loop = UnaryLoop.quantized(context, from: type.elementType, to: type.elementType, function)
    return try unary(context, loop, cost: type == .int16 ? cost : 0.15)
  }
}

extension BinaryRowKernel {
  /// Returns a kernel from a function of quantized values. By default, operands have the type of the result.
  static func quantized<Function: BinaryFunction>(
    _ type: QuantizedType, right: QuantizedType? = nil, _ function: Function
  ) -> BinaryRowKernel where Function.Left == Int32, Function.Right == Int32, Function.Result == Int32 {
    BinaryRowKernel(
      left: .widening(type.elementType), right: .widening((right ?? type).elementType), function.rowKernel,
      result: .narrowing(type.elementType))
  }
}

extension SixteenBitFloat {
  /// A loop that converts elements to single precision.
  static var widening: UnaryLoop {
    UnaryLoop(inputBytes: MemoryLayout<Self>.stride, resultBytes: MemoryLayout<Float>.stride) { input, result, count in
      let input = input.assumingMemoryBound(to: Self.self)
      let result = result.assumingMemoryBound(to: Float.self)
      for index in 0..<count { result[index] = input[index].floatValue }
    }
  }

  /// A loop that rounds elements from single precision.
  static var narrowing: UnaryLoop {
    UnaryLoop(inputBytes: MemoryLayout<Float>.stride, resultBytes: MemoryLayout<Self>.stride) { input, result, count in
      let input = input.assumingMemoryBound(to: Float.self)
      let result = result.assumingMemoryBound(to: Self.self)
      for index in 0..<count { result[index] = Self(input[index]) }
    }
  }
}

extension UnaryLoop {
  /// Returns a function of floats on 16-bit floats, computed in single precision and rounded once.
  static func sixteenBitFloats<Element: SixteenBitFloat>(_ type: Element.Type, _ function: UnaryLoop) -> UnaryLoop {
    UnaryLoop(type.widening, function, type.narrowing)
  }

  /// Creates a loop that runs three loops in sequence. Intermediate elements have 4 bytes.
  init(_ first: UnaryLoop, _ second: UnaryLoop, _ third: UnaryLoop) {
    self.init(inputBytes: first.inputBytes, resultBytes: third.resultBytes) { input, result, count in
      // Few enough for the stack.
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { buffer in
        guard let elements = buffer.baseAddress.map({ UnsafeMutableRawPointer($0) }) else { return }
        var done = 0
        while done < count {
          let part = min(buffer.count, count &- done)
          first.run(input + done &* first.inputBytes, elements, part)
          second.run(elements, elements, part)
          third.run(elements, result + done &* third.resultBytes, part)
          done &+= part
        }
      }
    }
  }
}

extension BinaryRowKernel {
  /// Returns `kernel` for 16-bit floats: operands are converted to single precision, and floating-point results are
  /// rounded once.
  static func sixteenBitFloats<Element: SixteenBitFloat>(
    _ type: Element.Type, _ kernel: some BinaryKernel, roundsResult: Bool = true
  ) -> BinaryRowKernel {
    BinaryRowKernel(
      left: type.widening, right: type.widening, kernel.rowKernel, result: roundsResult ? type.narrowing : nil)
  }
}
