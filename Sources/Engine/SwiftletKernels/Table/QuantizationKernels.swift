internal import SwiftletKernelSets

/// Conversions between floats, accumulators, and quantized values.
///
/// - Thread safety: callable concurrently on disjoint outputs.
package struct QuantizationKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  /// Computes `output[r, c] = clamp(zeroPoint + input[r, c] × multiplier[c] × 2^shift[c], lower, upper)` with the
  /// rounding of `QuantizedMultiplier.apply`, bit for bit.
  ///
  /// - Parameters:
  ///   - inputStride, outputStride: The number of values between two adjacent rows. A flat array is one row.
  ///   - multipliers, shifts: One value per column (`parameterStride` 1) or one for all columns (0). Shifts are from
  ///     -31 to 31.
  ///   - zeroPoint, lower, upper: The zero point and bounds, in the output's own range.
  ///   - output: The output, int8 or uint8, which must not overlap the input.
  package func requantize(
    rows: Int, columns: Int, input: UnsafePointer<Int32>, inputStride: Int, multipliers: UnsafePointer<Int32>,
    shifts: UnsafePointer<Int32>, parameterStride: Int, zeroPoint: Int32, lower: Int32, upper: Int32,
    toBytes output: UnsafeMutableRawPointer, outputStride: Int
  ) {
    set.call.requantize_8(
      rows, columns, input, inputStride, multipliers, shifts, parameterStride, zeroPoint, Int(lower), Int(upper),
      output, outputStride)
  }

  /// Requantizes to 16-bit integers.
  package func requantize(
    rows: Int, columns: Int, input: UnsafePointer<Int32>, inputStride: Int, multipliers: UnsafePointer<Int32>,
    shifts: UnsafePointer<Int32>, parameterStride: Int, zeroPoint: Int32, lower: Int32, upper: Int32,
    toInt16 output: UnsafeMutablePointer<Int16>, outputStride: Int
  ) {
    set.call.requantize_16(
      rows, columns, input, inputStride, multipliers, shifts, parameterStride, zeroPoint, Int(lower), Int(upper),
      output, outputStride)
  }

  /// Full vectors that `rescalePlanes` may read past the last column.
  package static let planeSlackBytes = 128

  /// Computes `output[r, c] = clamp(zeroPoint + (256 * high[r, c] + low[r, c] + terms[c]) * factors[c])` in double
  /// precision, rounded half up or half away from zero. Sums must be exact.
  ///
  /// - Parameters:
  ///   - stride: The number of elements between two rows of `high`, and of `low`.
  ///   - high, low, terms, factors: `planeSlackBytes` after the last element may be read.
  package func rescalePlanes(
    roundsUp: Bool, rows: Int, columns: Int, high: UnsafePointer<Int32>, low: UnsafePointer<Int32>, stride: Int,
    terms: UnsafePointer<Double>, factors: UnsafePointer<Double>, zeroPoint: Int32, lower: Int32, upper: Int32,
    output: UnsafeMutablePointer<Int16>, outputStride: Int
  ) {
    set.call.rescale_planes(
      roundsUp ? 1 : 0, rows, columns, high, low, stride, terms, factors, Int(zeroPoint), Int(lower), Int(upper),
      output, outputStride)
  }

  /// Computes `output[i] = clamp(round(input[i] / scale) + zeroPoint, lower, upper)`, rounded half away from zero, with
  /// NaN mapped to `lower`. This is the reference's QUANTIZE, bit for bit.
  ///
  /// - Parameters:
  ///   - zeroPoint, lower, upper: The zero point and bounds, in the output's own range.
  ///   - output: The output, int8 or uint8.
  package func quantize(
    count: Int, input: UnsafePointer<Float>, scale: Float, zeroPoint: Int32, lower: Int32, upper: Int32,
    isSigned: Bool, toBytes output: UnsafeMutableRawPointer
  ) {
    let offset: Int32 = isSigned ? 0 : 128
    set.call.quantize_8(
      count, input, scale, 0, zeroPoint &- offset, lower &- offset, upper &- offset,
      isSigned ? 0 : Int32(bitPattern: 0x8080_8080), output)
  }

  /// Quantizes to 16-bit integers.
  package func quantize(
    count: Int, input: UnsafePointer<Float>, scale: Float, zeroPoint: Int32, lower: Int32, upper: Int32,
    toInt16 output: UnsafeMutablePointer<Int16>
  ) {
    set.call.quantize_16(count, input, scale, zeroPoint, lower, upper, output)
  }

  /// Computes `output[i] = clamp(round(input[i] * factor) + zeroPoint, lower, upper)` as int8 or uint8, with NaN mapped
  /// to `lower`. Rounded half away from zero, this is the reference's dynamic quantization of activations. Rounded half
  /// to even, it is XNNPACK's, and its QUANTIZE with the reciprocal of the scale.
  ///
  /// With the factor 1, after `scale(rows:columns:sums:rowScale:scales:bias:order:lower:upper:output:)`, this is
  /// the arithmetic of `QuantizedGemmKernels.multiplyRequantizing`, bit for bit.
  ///
  /// - Parameters:
  ///   - zeroPoint, lower, upper: The zero point and bounds, in the output's own range.
  package func quantize(
    count: Int, input: UnsafePointer<Float>, factor: Float, zeroPoint: Int32, lower: Int32, upper: Int32,
    isSigned: Bool = true, roundsToEven: Bool, toBytes output: UnsafeMutableRawPointer
  ) {
    let offset: Int32 = isSigned ? 0 : 128
    set.call.quantize_8(
      count, input, factor, roundsToEven ? 2 : 1, zeroPoint &- offset, lower &- offset, upper &- offset,
      isSigned ? 0 : Int32(bitPattern: 0x8080_8080), output)
  }

  /// Returns the smallest and the largest element, ignoring NaN. Returns two zeros if there are no elements, and the
  /// infinities if all elements are NaN.
  package func extremes(count: Int, input: UnsafePointer<Float>) -> SIMD2<Float> {
    var result = SIMD2<Float>()
    withUnsafeMutableBytes(of: &result) { bytes in
      guard let start = bytes.baseAddress else { return }
      set.call.extremes_f32(count, input, start.assumingMemoryBound(to: Float.self))
    }
    return result
  }

  /// Quantizes contiguous rows to int8, each with the scale and zero point that `DynamicRangeParameters` computes from
  /// its extremes.
  package func quantizeRows(
    rows: Int, columns: Int, input: UnsafePointer<Float>, scales: UnsafeMutablePointer<Float>,
    zeroPoints: UnsafeMutablePointer<Int32>, output: UnsafeMutablePointer<Int8>
  ) {
    set.call.quantize_rows(rows, columns, input, scales, zeroPoints, output)
  }

  /// Computes `output[r, c] = clamp(sums[r, c] * scales[c] * rowScale + bias[c], lower, upper)` in the given order. Rows
  /// are contiguous.
  package func scale(
    rows: Int, columns: Int, sums: UnsafePointer<Int32>, rowScale: Float, scales: UnsafePointer<Float>,
    bias: UnsafePointer<Float>?, order: SumScaling = .scalesFirst, lower: Float, upper: Float,
    output: UnsafeMutablePointer<Float>
  ) {
    set.call.scale_sums(rows, columns, sums, rowScale, scales, bias, order.rawValue, lower, upper, output)
  }

  /// Computes `output[i] = (input[i] - zeroPoint) * scale` of int8 or uint8 values.
  package func dequantize(
    count: Int, bytes input: UnsafeRawPointer, isSigned: Bool, scale: Float, zeroPoint: Int32,
    output: UnsafeMutablePointer<Float>
  ) {
    set.call.dequantize_8(count, input, isSigned ? 1 : 0, scale, zeroPoint, output)
  }

  /// Computes the same for 16-bit integers.
  package func dequantize(
    count: Int, halves input: UnsafePointer<Int16>, scale: Float, zeroPoint: Int32,
    output: UnsafeMutablePointer<Float>
  ) {
    set.call.dequantize_16(count, input, scale, zeroPoint, output)
  }

  /// Converts 16-bit floats, given by their bits, to 32-bit floats. The conversion is exact, even for subnormal
  /// numbers. NaN stays NaN.
  package func expandFloat16(
    count: Int, input: UnsafePointer<UInt16>, output: UnsafeMutablePointer<Float>
  ) {
    set.call.expand_f16(count, input, output)
  }
}
