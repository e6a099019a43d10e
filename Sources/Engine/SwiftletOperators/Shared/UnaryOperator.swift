import SwiftletEngine
import SwiftletKernels

/// An operator of one input and one output of the same shape.
protocol UnaryOperator: Operator {}

extension UnaryOperator {
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
protocol RealFunction: UnaryFunction where Input == Float, Result == Float {
  /// The kernel for float32, and its parameters; `nil` where the call itself is used.
  var kernel: RealKernel? { get }
}

extension RealFunction {
  var kernel: RealKernel? { nil }
}

/// A real function on 16-bit floats.
struct ShortFloatFunction<Function: RealFunction, Element: ShortFloat>: UnaryFunction {
  let function: Function

  @inline(__always)
  func callAsFunction(_ input: Element) -> Element { Element(function(input.floatValue)) }
}

extension PreparedOperator {
  /// `function` on floats of 32 and 16 bits. `cost` is in nanoseconds per element.
  @inline(__always)
  static func real<Function: RealFunction>(
    _ context: PrepareContext, _ function: Function, cost: Double
  ) throws -> PreparedOperator {
    let input = try context.node.input(0)
    switch input.elementType {
    case .float32: return try float32(context, function, cost: cost)
    case .float16:
      return try unary(context, ShortFloatFunction<Function, HalfFloat>(function: function), cost: cost + 3)
    case .bfloat16:
      return try unary(context, ShortFloatFunction<Function, BrainFloat>(function: function), cost: cost + 1)
    default: throw context.node.invalid("does not take \(input)")
    }
  }

  @inline(__always)
  private static func float32<Function: RealFunction>(
    _ context: PrepareContext, _ function: Function, cost: Double
  ) throws -> PreparedOperator {
    guard let kernel = function.kernel, context.options.numerics == .fast else {
      return try unary(context, function, cost: cost)
    }
    let kernels = context.kernels.elementwise
    return try unary(context, from: Float.self, to: Float.self, cost: cost) { input, output, count in
      kernels.apply(
        kernel.operation, count: count, input: input, output: output, first: kernel.first, second: kernel.second)
    }
  }

  /// `function` on floats, and through tables on quantised tensors. `cost` is in nanoseconds per float.
  @inline(__always)
  static func realOrTable<Function: RealFunction>(
    _ context: PrepareContext, _ function: Function, cost: Double
  ) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .int8: return try table(context, Int8.self, function)
    case .uint8: return try table(context, UInt8.self, function)
    case .int16:
      let node = context.node
      let table = InterpolationTable(
        input: try node.quantization(ofInput: 0, Int16.self), output: try node.quantization(ofOutput: 0, Int16.self)
      ) { function($0) }
      return try unary(context, table, cost: 1.5)
    default: return try real(context, function, cost: cost)
    }
  }

  private static func table<Code: QuantizedCode>(
    _ context: PrepareContext, _ type: Code.Type, _ function: some RealFunction
  ) throws -> PreparedOperator {
    let node = context.node
    let table = LookupTable<Code, Code>(
      input: try node.quantization(ofInput: 0, type), output: try node.quantization(ofOutput: 0, type)
    ) { function($0) }
    return try mapped(context, table)
  }

  /// A function of codes: through a table where there are only 256 of them, called for every element otherwise.
  @inline(__always)
  static func codes<Function: UnaryFunction>(
    _ context: PrepareContext, _ function: Function, cost: Double
  ) throws -> PreparedOperator where Function.Input: QuantizedCode {
    guard Function.Input.bitWidth == 8 else { return try unary(context, function, cost: cost) }
    return try mapped(context, LookupTable<Function.Input, Function.Result> { function($0) })
  }

  /// One stage that looks every code of input 0 up.
  private static func mapped<Code: QuantizedCode, Result: BitwiseCopyable>(
    _ context: PrepareContext, _ table: LookupTable<Code, Result>
  ) throws -> PreparedOperator {
    guard MemoryLayout<Result>.size == 1 else { return try unary(context, table, cost: 0.6) }
    let kernels = context.kernels.bytes
    return try unary(context, from: Code.self, to: Result.self, cost: 0.15) { input, output, count in
      table.apply(kernels, count: count, from: input, to: output)
    }
  }
}
