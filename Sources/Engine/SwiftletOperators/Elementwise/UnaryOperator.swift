import SwiftletEngine
import SwiftletKernels

/// An operator of one input and one output of the same shape, which works element by element unless its axis rule says
/// otherwise.
protocol UnaryOperator: Operator {}

extension UnaryOperator {
  var layoutBehavior: LayoutBehavior { .elementwise }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try node.input(0).shape] }
}

/// A unary operator without options.
protocol PlainUnaryOperator: UnaryOperator {
  init()
}

extension PlainUnaryOperator {
  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    self.init()
  }
}

/// A function of real numbers that an operator applies to every element, whatever stands for them.
///
/// The call is what tables are made from and what 16-bit floats are given to; it is exact, as tables must be.
protocol FloatFunction: UnaryFunction where Input == Float, Result == Float {
  /// The kernel for float32, and its parameters; `nil` if the call itself is used.
  var kernel: UnaryFloatKernel? { get }
}

extension FloatFunction {
  var kernel: UnaryFloatKernel? { nil }
}

extension PreparedOperator {
  /// `function` on floats of 32 and 16 bits. `cost` is in nanoseconds per element.
  static func floatingPoint(_ context: PrepareContext, _ function: some FloatFunction, cost: Double) throws
    -> PreparedOperator
  {
    try floatingPoint(context, function.loop, function.kernel, cost: cost)
  }

  /// `function` on floats, and through tables on quantized tensors. `cost` is in nanoseconds per float.
  static func realOrTable(
    _ context: PrepareContext, _ function: some FloatFunction, cost: Double
  ) throws -> PreparedOperator {
    try realOrTable(context, function.loop, function.kernel, cost: cost)
  }

  private static func floatingPoint(
    _ context: PrepareContext, _ function: UnaryLoop, _ kernel: UnaryFloatKernel?, cost: Double
  ) throws -> PreparedOperator {
    let input = try context.node.input(0)
    switch input.elementType {
    case .float32:
      guard let kernel, context.options.numerics == .fast else { return try unary(context, function, cost: cost) }
      let kernels = context.kernels.elementwise
      context.uses("vector function float32")
      return try unary(context, from: Float.self, to: Float.self, cost: cost) { input, output, count in
        kernels.apply(
          kernel.operation, count: count, input: input, output: output, first: kernel.first, second: kernel.second)
      }
    case .float16: return try unary(context, .sixteenBitFloats(Half.self, function), cost: cost + 3)
    case .bfloat16: return try unary(context, .sixteenBitFloats(BFloat16.self, function), cost: cost + 1)
    default: throw context.node.invalid("does not take \(input)")
    }
  }

  private static func realOrTable(
    _ context: PrepareContext, _ function: UnaryLoop, _ kernel: UnaryFloatKernel?, cost: Double
  ) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: return try table(context, Int8.self, function)
    case .uint8: return try table(context, UInt8.self, function)
    case .int16:
      let node = context.node
      let table = InterpolationTable(
        input: try node.quantization(ofInput: 0, Int16.self), output: try node.quantization(ofOutput: 0, Int16.self)
      ) { number in
        var number = number
        withUnsafeMutableBytes(of: &number) { bytes in
          if let float = bytes.baseAddress { function.run(float, float, 1) }
        }
        return number
      }
      context.uses("interpolated table int16", .none)
      return try unary(context, table, cost: 1.5)
    default: return try floatingPoint(context, function, kernel, cost: cost)
    }
  }

  private static func table<Quantized: QuantizedValue>(
    _ context: PrepareContext, _ type: Quantized.Type, _ function: UnaryLoop
  ) throws -> PreparedOperator {
    let node = context.node
    let table = ByteTable(
      type, input: try node.quantization(ofInput: 0, type), output: try node.quantization(ofOutput: 0, type), function)
    return try mapped(context, table)
  }

  /// One stage that looks every byte of input 0 up.
  private static func mapped(_ context: PrepareContext, _ table: ByteTable) throws -> PreparedOperator {
    let loop = table.loop(context.kernels.bytes)
    context.uses("table of 256 values")
    return try unary(context, loop, cost: loop.resultBytes == 1 ? 0.15 : 0.6)
  }
}

/// A function of one element; the loop over a tensor comes with it.
///
/// Conformers are small structs of constants with `@inline(__always)` calls, so that the loop is compiled for the one
/// function. It is the only code that is.
protocol UnaryFunction<Input, Result>: Sendable {
  associatedtype Input: BitwiseCopyable
  associatedtype Result: BitwiseCopyable

  func callAsFunction(_ input: Input) -> Result
}

/// A loop over elements that only it knows.
struct UnaryLoop: Sendable {
  /// Bytes of an element.
  let inputBytes: Int
  let resultBytes: Int
  let run: @Sendable (_ input: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int) -> Void
}

extension UnaryFunction {
  // Once per function, not once per place that uses it.
  @inline(never)
  var loop: UnaryLoop {
    UnaryLoop(inputBytes: MemoryLayout<Input>.stride, resultBytes: MemoryLayout<Result>.stride) {
      input, result, count in
      let input = input.assumingMemoryBound(to: Input.self)
      let result = result.assumingMemoryBound(to: Result.self)
      for index in 0..<count { result[index] = self(input[index]) }
    }
  }
}

extension PreparedOperator {
  /// One stage that applies `function` to every element of input 0. `cost` is in nanoseconds per element.
  static func unary(
    _ context: PrepareContext, _ function: some UnaryFunction, cost: Double
  ) throws -> PreparedOperator {
    try unary(context, function.loop, cost: cost)
  }

  /// Returns the same for every function, compiled once.
  static func unary(_ context: PrepareContext, _ loop: UnaryLoop, cost: Double) throws -> PreparedOperator {
    try unary(context, inputBytes: loop.inputBytes, resultBytes: loop.resultBytes, cost: cost, loop.run)
  }

  /// One stage over the elements of input 0 and output 0, which have the same shape, in runs.
  @inline(__always)
  static func unary<Input, Result>(
    _ context: PrepareContext, from: Input.Type, to: Result.Type, cost: Double,
    _ body: @escaping @Sendable (UnsafePointer<Input>, UnsafeMutablePointer<Result>, Int) throws -> Void
  ) throws -> PreparedOperator {
    try unary(
      context, inputBytes: MemoryLayout<Input>.stride, resultBytes: MemoryLayout<Result>.stride, cost: cost
    ) { input, result, count in
      try body(input.assumingMemoryBound(to: Input.self), result.assumingMemoryBound(to: Result.self), count)
    }
  }

  /// Returns the same on bytes.
  static func unary(
    _ context: PrepareContext, inputBytes: Int, resultBytes: Int, cost: Double,
    _ body: @escaping @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, Int) throws -> Void
  ) throws -> PreparedOperator {
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let count = try context.node.output(0).shape.elementCount
    guard try context.node.input(0).shape.elementCount == count else {
      throw context.node.invalid("input and output differ in size")
    }
    return PreparedOperator(items: count, cost: cost) { run, range in
      try body(
        run.pointer(source) + range.lowerBound &* inputBytes,
        run.pointer(destination) + range.lowerBound &* resultBytes,
        range.count)
    }
  }
}

extension PreparedOperator {
  /// Returns a function of quantized values that stand for numbers from 0 on.
  ///
  /// - Throws: in the run, for a quantized value below the zero point.
  static func nonNegativeQuantized<Function: UnaryFunction>(
    _ context: PrepareContext, _ function: Function, zeroPoint: Int32, cost: Double
  ) throws -> PreparedOperator where Function.Input: QuantizedValue {
    try nonNegativeQuantized(context, Function.Input.self, function.loop, zeroPoint: zeroPoint, cost: cost)
  }

  private static func nonNegativeQuantized<Quantized: QuantizedValue>(
    _ context: PrepareContext, _ type: Quantized.Type, _ function: UnaryLoop, zeroPoint: Int32, cost: Double
  ) throws -> PreparedOperator {
    let isTable = Quantized.bitWidth == 8
    let loop = isTable ? ByteTable(function).loop(context.kernels.bytes) : function
    if isTable { context.uses("table of 256 values") }
    let location = context.node.node.location
    return try unary(
      context, inputBytes: loop.inputBytes, resultBytes: loop.resultBytes, cost: isTable ? 0.9 : cost
    ) { input, result, count in
      let quantized = input.assumingMemoryBound(to: type)
      var smallest = Int32.max
      for index in 0..<count { smallest = min(smallest, Int32(truncatingIfNeeded: quantized[index])) }
      guard smallest >= zeroPoint else {
        throw RuntimeError(
          .invalidInput,
          "the input holds the quantized value \(smallest), a negative number, of which there is no root",
          location: location)
      }
      loop.run(input, result, count)
    }
  }
}
