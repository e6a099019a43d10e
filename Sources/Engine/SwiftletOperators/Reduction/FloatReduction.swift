import SwiftletEngine
import SwiftletKernels

/// A reduction of floats that kernels have.
struct FloatReduction: Sendable {
  var operation: ReductionKernels.RowOperation
  /// What sums are multiplied by: 1 over the count for a mean, as in XNNPACK.
  var factor: Float = 1
}

extension PreparedOperator {
  /// The reduction by kernels; `nil` where they do not have it. Sums in another order than the reference's are for fast
  /// numerics.
  static func floatReduction(
    _ reduction: FloatReduction, _ plan: ReductionPlan, _ context: PrepareContext
  ) throws -> PreparedOperator? {
    let operation = reduction.operation
    let isSum = operation == .sum || operation == .sumOfSquares
    guard plan.suitsFloatKernels, !isSum || context.options.numerics == .fast else { return nil }
    let source = try context.inputSlot(0), destination = try context.outputSlot(0)
    let kernels = context.kernels.reduction, factor = reduction.factor
    context.uses("vector reduction float32")
    let distance = plan.outer.first?.stride ?? 0
    switch plan.innerLoop {
    case .runs(let length):
      return PreparedOperator(items: plan.outputCount, cost: Double(length) * 0.07 + 10) { run, range in
        let output = run.pointer(destination, as: Float.self) + range.lowerBound
        kernels.reduceRows(
          operation, rows: range.count, columns: length,
          input: run.pointer(source, as: Float.self) + range.lowerBound &* distance, inputStride: distance,
          output: output)
        if factor != 1 { for index in 0..<range.count { output[index] *= factor } }
      }
    case .columns(let inner, let rows, let stride):
      guard operation == .sum else { return nil }
      // Pieces of some cache lines: threads then do not read the same ones.
      let width = 64, pieces = (inner + width - 1) / width
      return PreparedOperator(
        items: plan.outputCount / inner * pieces, cost: Double(rows) * Double(max(8, min(inner, width))) * 0.07 + 20
      ) { run, range in
        var item = range.lowerBound
        while item < range.upperBound {
          let (row, piece) = item.quotientAndRemainder(dividingBy: pieces)
          let end = min(pieces, piece &+ range.upperBound &- item)
          let first = piece &* width, count = min(end &* width, inner) &- first
          let output = run.pointer(destination, as: Float.self) + (row &* inner &+ first)
          kernels.sumRows(
            rows: rows, columns: count,
            input: run.pointer(source, as: Float.self) + (row &* distance &+ first), inputStride: stride,
            output: output)
          if factor != 1 { for index in 0..<count { output[index] *= factor } }
          item &+= end &- piece
        }
      }
    }
  }
}
