import SwiftletEngine
import SwiftletKernels

/// An operator with one input and one output of the same shape, elementwise unless its layout behavior says otherwise.
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

/// A function of real numbers that an operator applies to every element, for any element type.
///
/// Lookup tables and 16-bit floats use the call, which is exact, as tables require.
protocol FloatFunction: UnaryFunction where Input == Float, Result == Float {
  /// The kernel for float32 and its parameters; `nil` to use the call.
  var kernel: UnaryFloatKernel? { get }
}

extension FloatFunction {
  var kernel: UnaryFloatKernel? { nil }
}

extension PreparedOperator {
  /// Creates one stage that applies `function` to 32-bit and 16-bit floats. `cost` is in nanoseconds per element.
  static func floatingPoint(_ context: PrepareContext, _ function: some FloatFunction, cost: Double) throws
    -> PreparedOperator
  {
    try floatingPoint(context, function.loop, function.kernel, cost: cost)
  }

  /// Creates one stage that applies `function` to floats, and to quantized tensors with tables. `cost` is in
  /// nanoseconds per float.
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

  /// Creates one stage that looks up every byte of input 0.
  private static func mapped(_ context: PrepareContext, _ table: ByteTable) throws -> PreparedOperator {
    let loop = table.loop(context.kernels.bytes)
    context.uses("table of 256 values")
    return try unary(context, loop, cost: loop.resultBytes == 1 ? 0.15 : 0.6)
  }
}

/// A function of one element, from which the loop over a tensor is generated.
///
/// Conforming types are small structs of constants with an `@inline(__always)` call, so that the loop is compiled for
/// the function. All other code is shared.
protocol UnaryFunction<Input, Result>: Sendable {
  associatedtype Input: BitwiseCopyable
  associatedtype Result: BitwiseCopyable

  func callAsFunction(_ input: Input) -> Result
}

/// A loop over elements. Only the loop knows the element types.
struct UnaryLoop: Sendable {
  /// The element size of the input in bytes.
  let inputBytes: Int
  let resultBytes: Int
  let run: @Sendable (_ input: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int) -> Void
}

extension UnaryFunction {
  // Once per function instead of once per use.
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
  /// Creates one stage that applies `function` to every element of input 0. `cost` is in nanoseconds per element.
  static func unary(
    _ context: PrepareContext, _ function: some UnaryFunction, cost: Double
  ) throws -> PreparedOperator {
    try unary(context, function.loop, cost: cost)
  }

  /// Creates the stage for any function, compiled once.
  static func unary(_ context: PrepareContext, _ loop: UnaryLoop, cost: Double) throws -> PreparedOperator {
    try unary(context, inputBytes: loop.inputBytes, resultBytes: loop.resultBytes, cost: cost, loop.run)
  }

  /// Creates one stage over runs of elements of input 0 and output 0, which have the same shape.
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

  /// Creates one stage over runs of bytes.
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
  /// Returns a function of nonnegative quantized numbers.
  ///
  /// - Throws: An error in the run for a quantized value below the zero point.
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
          "the input holds the quantized value \(smallest), which represents a negative number; its square root is undefined",
          location: location)
      }
      loop.run(input, result, count)
    }
  }
}
