internal import SwiftletKernelSets

/// The elementwise steps of an integer LSTM between its matrix products, bit-exact with the reference.
///
/// - Types: 16-bit gate sums with 12 fraction bits, and 16-bit cells whose scale is a power of two.
/// - Thread safety: callable concurrently on disjoint outputs.
package struct RecurrentKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  /// Computes `output[i] = clamp(sums[i] × factor[i] + addend[i])` in 16 bits, with factors as in
  /// `QuantizedMultiplier`.
  ///
  /// `output` may be `addend`.
  package func rescale(
    count: Int, sums: UnsafePointer<Int32>, multipliers: UnsafePointer<Int32>, shifts: UnsafePointer<Int32>,
    adding addend: UnsafePointer<Int16>, into output: UnsafeMutablePointer<Int16>
  ) {
    set.call.lstm_rescale(count, sums, multipliers, shifts, addend, output)
  }

  /// Computes `cells = σ(forget) × cells + σ(input) × tanh(new)`.
  ///
  /// - Parameters:
  ///   - input: The input gate, or nil to use 1 − σ(forget).
  ///   - cellExponent: The exponent of the cell scale `2^cellExponent`, −15 … −9.
  ///   - limit: The maximum magnitude of a cell; 0 for no limit.
  package func updateCells(
    count: Int, input: UnsafePointer<Int16>?, forget: UnsafePointer<Int16>, new: UnsafePointer<Int16>,
    cellExponent: Int32, limit: Int16, cells: UnsafeMutablePointer<Int16>
  ) {
    set.call.lstm_cells(count, input, forget, new, cellExponent, Int32(limit), cells)
  }

  /// Computes `output[i] = clamp(σ(gate[i]) × tanh(cells[i]) × factor + zeroPoint)` in 8 bits.
  package func emit(
    count: Int, gate: UnsafePointer<Int16>, cells: UnsafePointer<Int16>, cellExponent: Int32,
    factor: QuantizedMultiplier, zeroPoint: Int32, into output: UnsafeMutablePointer<Int8>
  ) {
    set.call.lstm_emit(count, gate, cells, 15 &+ cellExponent, factor.multiplier, factor.shift, zeroPoint, output)
  }
}
