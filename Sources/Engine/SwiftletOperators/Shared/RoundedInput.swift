import SwiftletEngine
import SwiftletKernels

/// A float32 input rounded to bfloat16 as a whole, for products that read it several times.
struct RoundedInput: Sendable {
  let slot: TensorSlot
  /// The stage that rounds, before the products.
  let stage: PreparedOperator.Stage

  /// What one number costs, in nanoseconds, roughly.
  private static let cost = 0.07
  /// Numbers rounded in one call.
  private static let piece = 1 << 10

  /// - Parameter count: elements of the input.
  init(_ context: PrepareContext, _ kernels: BFloat16Kernels, _ input: TensorSlot, count: Int) throws {
    let rounded = try context.scratch(elements: [count], of: UInt16.self)
    slot = rounded
    let pieces = count / Self.piece + (count % Self.piece == 0 ? 0 : 1)
    stage = PreparedOperator.Stage(items: pieces, cost: Double(Self.piece) * Self.cost) { run, items in
      let first = items.lowerBound &* Self.piece
      kernels.round(
        rows: 1, columns: min(count, items.upperBound &* Self.piece) &- first,
        input: run.pointer(input, as: Float.self) + first, inputStride: 0,
        output: run.pointer(rounded, as: UInt16.self) + first, outputStride: 0)
    }.touching(reads: [input], writes: [rounded])
  }
}
