internal import SwiftletKernelsX86

/// Between floats, accumulators and quantised values.
///
/// - Thread safety: callable concurrently on disjoint outputs.
package struct QuantizationKernels: Sendable {
  typealias RequantizeToBytes =
    @convention(c) (
      Int, Int, UnsafePointer<Int32>, Int, UnsafePointer<Int32>, UnsafePointer<Int32>, Int, Int32, Int32, Int32,
      UnsafeMutableRawPointer, Int
    ) -> Void
  typealias RequantizeToHalves =
    @convention(c) (
      Int, Int, UnsafePointer<Int32>, Int, UnsafePointer<Int32>, UnsafePointer<Int32>, Int, Int32, Int32, Int32,
      UnsafeMutablePointer<Int16>, Int
    ) -> Void

  let requantizeToBytes: RequantizeToBytes
  let requantizeToHalves: RequantizeToHalves

  /// `output[r, c] = clamp(zeroPoint + input[r, c] × multiplier[c] × 2^shift[c], lower, upper)` with the rounding of
  /// `QuantizedMultiplier.apply`, bit for bit.
  ///
  /// - Parameters:
  ///   - inputStride, outputStride: values from one row to the next. A flat array is one row.
  ///   - multipliers, shifts: per column (`parameterStride` 1) or one for all (0); shifts from -31 to 31.
  ///   - zeroPoint, lower, upper: in the output's own range.
  ///   - output: int8 or uint8; must not overlap the input.
  package func requantize(
    rows: Int, columns: Int, input: UnsafePointer<Int32>, inputStride: Int, multipliers: UnsafePointer<Int32>,
    shifts: UnsafePointer<Int32>, parameterStride: Int, zeroPoint: Int32, lower: Int32, upper: Int32,
    toBytes output: UnsafeMutableRawPointer, outputStride: Int
  ) {
    requantizeToBytes(
      rows, columns, input, inputStride, multipliers, shifts, parameterStride, zeroPoint, lower, upper, output,
      outputStride)
  }

  /// The same to 16-bit integers.
  package func requantize(
    rows: Int, columns: Int, input: UnsafePointer<Int32>, inputStride: Int, multipliers: UnsafePointer<Int32>,
    shifts: UnsafePointer<Int32>, parameterStride: Int, zeroPoint: Int32, lower: Int32, upper: Int32,
    toHalves output: UnsafeMutablePointer<Int16>, outputStride: Int
  ) {
    requantizeToHalves(
      rows, columns, input, inputStride, multipliers, shifts, parameterStride, zeroPoint, lower, upper, output,
      outputStride)
  }
}

extension QuantizationKernels {
  static let portable = QuantizationKernels(
    requantizeToBytes: requantizeToBytesEntryPoint, requantizeToHalves: requantizeToHalvesEntryPoint)

  #if arch(x86_64) && os(Linux)
    static let avx2 = QuantizationKernels(
      requantizeToBytes: swiftlet_avx2_requantize_8, requantizeToHalves: swiftlet_avx2_requantize_16)
    static let avx512 = QuantizationKernels(
      requantizeToBytes: swiftlet_avx512_requantize_8, requantizeToHalves: swiftlet_avx512_requantize_16)
  #endif
}
