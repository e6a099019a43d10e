import SwiftletEngine

extension PreparedOperator {
  /// A function of codes that stand for numbers from 0 on.
  ///
  /// - Throws: in the run, for a code below the zero point.
  static func nonNegativeCodes<Function: UnaryFunction>(
    _ context: PrepareContext, _ function: Function, zeroPoint: Int32, cost: Double
  ) throws -> PreparedOperator where Function.Input: QuantizedCode {
    guard Function.Input.bitWidth == 8 else { return try checked(context, function, zeroPoint: zeroPoint, cost: cost) }
    let table = LookupTable<Function.Input, Function.Result> { function($0) }
    return try checked(context, table, zeroPoint: zeroPoint, cost: 0.9)
  }

  @inline(__always)
  private static func checked<Function: UnaryFunction>(
    _ context: PrepareContext, _ function: Function, zeroPoint: Int32, cost: Double
  ) throws -> PreparedOperator where Function.Input: QuantizedCode {
    let location = context.node.node.location
    return try unary(context, from: Function.Input.self, to: Function.Result.self, cost: cost) { input, result, count in
      var smallest = Int32.max
      for index in 0..<count { smallest = min(smallest, Int32(truncatingIfNeeded: input[index])) }
      guard smallest >= zeroPoint else {
        throw RuntimeError(
          .invalidInput, "the input holds code \(smallest), a negative number, of which there is no root",
          location: location)
      }
      for index in 0..<count { result[index] = function(input[index]) }
    }
  }
}
