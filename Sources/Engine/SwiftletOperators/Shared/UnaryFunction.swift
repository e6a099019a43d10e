import SwiftletEngine

/// A function of one element; the loop over a tensor comes with it.
///
/// Conformers are small structs of constants with `@inline(__always)` calls, so that every loop is compiled for the one
/// function.
protocol UnaryFunction: Sendable {
  associatedtype Input: BitwiseCopyable
  associatedtype Result: BitwiseCopyable

  func callAsFunction(_ input: Input) -> Result
}

extension PreparedOperator {
  /// One stage that applies `function` to every element of input 0. `cost` is in nanoseconds per element.
  @inline(__always)
  static func unary<Function: UnaryFunction>(
    _ context: PrepareContext, _ function: Function, cost: Double
  ) throws -> PreparedOperator {
    try unary(context, from: Function.Input.self, to: Function.Result.self, cost: cost) { input, result, count in
      for index in 0..<count { result[index] = function(input[index]) }
    }
  }

  /// One stage over the elements of input 0 and output 0, which have the same shape, in runs.
  @inline(__always)
  static func unary<Input, Result>(
    _ context: PrepareContext, from: Input.Type, to: Result.Type, cost: Double,
    _ body: @escaping @Sendable (UnsafePointer<Input>, UnsafeMutablePointer<Result>, Int) throws -> Void
  ) throws -> PreparedOperator {
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let count = try context.node.output(0).shape.elementCount
    guard try context.node.input(0).shape.elementCount == count else {
      throw context.node.invalid("input and output differ in size")
    }
    return PreparedOperator(items: count, cost: cost) { run, range in
      try body(
        UnsafePointer(run.pointer(source, as: Input.self)) + range.lowerBound,
        run.pointer(destination, as: Result.self) + range.lowerBound, range.count)
    }
  }
}
