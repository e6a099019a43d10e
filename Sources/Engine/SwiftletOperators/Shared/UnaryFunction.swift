import SwiftletEngine

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

  /// The same for every function, compiled once.
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

  /// The same on bytes.
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
