import SwiftletEngine

extension PreparedOperator {
  /// A function of quantised values that stand for numbers from 0 on.
  ///
  /// - Throws: in the run, for a quantised value below the zero point.
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
          "the input holds the quantised value \(smallest), a negative number, of which there is no root",
          location: location)
      }
      loop.run(input, result, count)
    }
  }
}
