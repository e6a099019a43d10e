import SwiftletEngine

/// A function from the elements along the last dimension to as many results.
protocol RowFunction: Sendable {
  associatedtype Input: BitwiseCopyable & Sendable
  associatedtype Result: BitwiseCopyable & Sendable
  func callAsFunction(_ input: UnsafePointer<Input>, _ output: UnsafeMutablePointer<Result>, count: Int)
}

extension PreparedOperator {
  /// A row is worked on in one piece, and longer ones would keep a thread for seconds.
  private static var longestRow: Int { 1 << 24 }

  /// Applies `function` to every row of input 0.
  ///
  /// - Parameter cost: the work of one element in nanoseconds, roughly.
  /// - Throws: `limitExceeded` for rows of more than sixteen million elements.
  static func rows<Function: RowFunction>(
    _ context: PrepareContext, _ function: Function, cost: Double
  ) throws -> PreparedOperator {
    try rows(
      context, inputBytes: MemoryLayout<Function.Input>.stride, resultBytes: MemoryLayout<Function.Result>.stride,
      cost: cost
    ) { input, result, count in
      function(
        input.assumingMemoryBound(to: Function.Input.self), result.assumingMemoryBound(to: Function.Result.self),
        count: count)
    }
  }

  /// The same for every function, compiled once.
  private static func rows(
    _ context: PrepareContext, inputBytes: Int, resultBytes: Int, cost: Double,
    _ function: @escaping @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, Int) -> Void
  ) throws -> PreparedOperator {
    let input = try context.inputSlot(0), output = try context.outputSlot(0)
    let shape = try context.node.input(0).shape
    let length = shape.innermost
    guard shape.elementCount > 0 else { return .empty }
    guard length <= longestRow else {
      throw RuntimeError(
        .limitExceeded, "takes rows of up to \(longestRow) elements, input 0 is \(try context.node.input(0))",
        location: context.node.node.location)
    }
    return PreparedOperator(items: shape.elementCount / length, cost: Double(length) * cost) { run, rows in
      let source = run.pointer(input), destination = run.pointer(output)
      for row in rows {
        function(source + row &* length &* inputBytes, destination + row &* length &* resultBytes, length)
      }
    }
  }
}

extension PreparedOperator {
  /// Runs a float32 kernel over the rows of input 0.
  ///
  /// - Parameters:
  ///   - cost: the work of one element in nanoseconds, roughly.
  ///   - kernel: called with the number of rows and of their elements.
  static func floatRows(
    _ context: PrepareContext, cost: Double,
    kernel: @escaping @Sendable (Int, Int, UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) throws -> PreparedOperator {
    let input = try context.inputSlot(0), output = try context.outputSlot(0)
    let shape = try context.node.input(0).shape
    let length = shape.innermost
    guard shape.elementCount > 0 else { return .empty }
    return PreparedOperator(items: shape.elementCount / length, cost: Double(length) * cost + 2) { run, rows in
      let start = rows.lowerBound &* length
      kernel(
        rows.count, length, UnsafePointer(run.pointer(input, as: Float.self)) + start,
        run.pointer(output, as: Float.self) + start)
    }
  }
}

extension NodeView {
  /// The shape of input 0, which has at least one dimension.
  func shapeOfRows() throws -> Shape {
    let input = try input(0)
    guard input.shape.rank > 0 else { throw invalid("takes an input of rank 1 or more, got \(input)") }
    return input.shape
  }
}
