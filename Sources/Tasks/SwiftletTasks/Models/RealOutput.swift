package import SwiftletEngine

/// An output of a model as real numbers, with memory of its own for those that have to be multiplied out.
///
/// One caller at a time.
package final class RealOutput {
  private var values: [Float] = []
  /// What ``values`` count.
  private var charge: MemoryCharge?
  /// What every byte stands for, by its bits.
  private var table: [Float] = []
  private var tabulated: TensorSpec?

  package init() {}

  /// Types that stand for real numbers.
  package static func isReal(_ spec: TensorSpec) -> Bool {
    switch spec.elementType {
    case .float32, .bool: true
    case .uint8, .int8: spec.quantization?.scales.count == 1
    default: false
    }
  }

  /// Calls `body` with the numbers in `memory`.
  ///
  /// - Parameter session: The session that the numbers count against if they take memory of their own; `nil` for none.
  /// - Throws: `TaskError` if the output is of another type or lacks a scale and if there is no room, and what `body` throws.
  package func withValues<Result>(
    of memory: UnsafeRawBufferPointer, _ spec: TensorSpec, of session: Session? = nil,
    _ body: (UnsafeBufferPointer<Float>) throws -> Result
  ) throws -> Result {
    guard Self.isReal(spec) else {
      throw TaskError.invalidModel(
        "the model's output \(spec) must be float32, bool, or uint8 or int8 with one scale and zero point")
    }
    if spec.elementType == .float32 { return try body(memory.assumingMemoryBound(to: Float.self)) }
    if tabulated != spec { tabulate(spec) }
    if values.count != memory.count {
      (values, charge) = ([], nil)
      charge = try TaskError.wrapping {
        try session?.charge(MemoryLayout<Float>.size * memory.count, for: "outputs as real numbers")
      }
      values = [Float](repeating: 0, count: memory.count)
    }
    values.withUnsafeMutableBufferPointer { values in
      table.withUnsafeBufferPointer { table in
        for index in values.indices { values[index] = table[Int(memory[index])] }
      }
    }
    return try values.withUnsafeBufferPointer(body)
  }

  private func tabulate(_ spec: TensorSpec) {
    let scale = spec.quantization?.scales.first ?? 1
    let zeroPoint = spec.quantization?.zeroPoints.first ?? 0
    table = (0..<256).map { (byte: Int) -> Float in
      switch spec.elementType {
      case .bool: byte == 0 ? 0 : 1
      case .int8: Float(Int32(Int8(truncatingIfNeeded: byte)) &- zeroPoint) * scale
      default: Float(Int32(byte) &- zeroPoint) * scale
      }
    }
    tabulated = spec
  }
}
