import SwiftletEngine

/// An int16 tensor as two int8 tensors, so that kernels for bytes can multiply it: `quantised = 256 · high + low +
/// 128`.
struct Int16Planes: Sendable {
  let high: TensorSlot
  let low: TensorSlot
  private let count: Int

  /// What stands for a quantised value of 0 in each plane.
  static let highZero: Int8 = 0
  static let lowZero: Int8 = -128

  init(_ context: PrepareContext, count: Int) throws {
    high = try context.scratch(bytes: count)
    low = try context.scratch(bytes: count)
    self.count = count
  }

  /// The stage that takes `input` apart.
  func stage(_ input: TensorSlot) -> PreparedOperator.Stage {
    PreparedOperator.Stage(items: count, cost: 0.2) { run, range in
      let source = run.pointer(input, as: Int16.self)
      let high = run.pointer(high, as: Int8.self), low = run.pointer(low, as: Int8.self)
      for index in range {
        high[index] = Int8(truncatingIfNeeded: source[index] &>> 8)
        low[index] = Int8(truncatingIfNeeded: source[index] ^ 0x80)
      }
    }.touching(reads: [input], writes: [high, low])
  }
}
