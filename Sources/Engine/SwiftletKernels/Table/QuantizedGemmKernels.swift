internal import SwiftletKernelSets

/// Int8 and uint8 GEMM on packed weights, with three kinds of results: requantized values, 32-bit accumulators, and
/// floats.
///
/// - Types: int8 or uint8 input and output in any combination, int8 or uint8 weights.
/// - Source: Accumulators are exact: `bias + Σ (input - inputZeroPoint) * (weight - weightZeroPoint)` modulo 2³².
/// - Thread safety: callable concurrently on disjoint outputs. Results don't depend on the distribution of rows and
///   columns over calls.
package struct QuantizedGemmKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  /// The number of columns in a packed panel: 32 for AVX-512, 16 for AVX2, 8 or 16 for portable.
  package let panelColumns: Int
  /// The number of consecutive bytes of a column that are adjacent in a panel: 4, or 8 if products take eight at once.
  let groupBytes: Int
  /// Whether unsigned input is faster than signed input. If so, it is worth flipping sign bits once and multiplying
  /// unsigned bytes.
  package let prefersUnsigned: Bool
  /// The number of rows in a whole tile. Row ranges that are multiples of it waste nothing.
  package let tileRows: Int
  /// The size of a vector of weights in the form that dot products read.
  let weightVectorBytes: Int
  /// The size of a byte in a copied row.
  let copiedByteSize: Int

  /// Returns the size of packed weights in bytes.
  package func packedByteCount(columns: Int, taps: Int, tapDepth: Int) -> Int {
    let rows = taps * ((tapDepth + groupBytes - 1) / groupBytes * (groupBytes / 4))
    return (columns + panelColumns - 1) / panelColumns * panelColumns * 4 * (4 + rows)
  }

  /// Packs weights for the multiplications below. The weight of column `c`, tap `t`, and channel `d` is read from
  /// `weights + c * columnStride + t * tapStride + d * channelStride` (bytes).
  ///
  /// To pack a range of columns, for example in parallel, start it at a multiple of `panelColumns`, and offset
  /// `weights`, `bias`, `scales`, and `panels` accordingly.
  ///
  /// - Parameters:
  ///   - weightZeroPoint: The zero point of the weight tensor. If it isn't 0 for int8 or 128 for uint8, multiplications
  ///     need `rowTerms`.
  ///   - inputZeroPoint: The zero point of the input tensor. `inputIsSigned` indicates whether the tensor is int8.
  ///   - bias: The bias, `columns` values at input scale times weight scale, or nil for zeros.
  ///   - scales: Input scale × weight scale / output scale, per column (`scaleStride` 1) or one for all columns (0);
  ///     nil if only accumulators are needed.
  ///   - panels: Memory for `packedByteCount` bytes, aligned to at least 4 bytes. 64-byte alignment is fastest.
  package func pack(
    columns: Int, taps: Int, tapDepth: Int, weights: UnsafeRawPointer, weightsAreSigned: Bool, columnStride: Int,
    tapStride: Int, channelStride: Int, weightZeroPoint: Int32, inputZeroPoint: Int32, inputIsSigned: Bool,
    bias: UnsafePointer<Int32>?, scales: UnsafePointer<Float>?, scaleStride: Int,
    into panels: UnsafeMutableRawPointer
  ) {
    set.call.pack_u8(
      columns, taps, tapDepth, weights, columnStride, tapStride, channelStride,
      weightsAreSigned ? 0 : Int32(bitPattern: 0x8080_8080),
      Int(weightsAreSigned ? weightZeroPoint : weightZeroPoint &- 128),
      Int(inputIsSigned ? inputZeroPoint &+ 128 : inputZeroPoint), bias, scales, scaleStride, nil, panels)
  }

  /// Packs int8 weights with zero point 0 for `multiplyDynamicRange`, whose input has one zero point per row.
  ///
  /// - Parameters:
  ///   - scales: The weight scale per column (`scaleStride` 1) or one for all columns (0).
  ///   - bias: The bias, `columns` floats, or nil for zeros.
  package func packDynamicRange(
    columns: Int, taps: Int, tapDepth: Int, weights: UnsafePointer<Int8>, columnStride: Int, tapStride: Int,
    channelStride: Int, scales: UnsafePointer<Float>, scaleStride: Int, bias: UnsafePointer<Float>?,
    into panels: UnsafeMutableRawPointer
  ) {
    set.call.pack_u8(
      columns, taps, tapDepth, weights, columnStride, tapStride, channelStride, 0, 0, 0, nil, scales, scaleStride,
      bias, panels)
  }

  /// Computes the contribution of the weight zero point to each row: `-weightZeroPoint * Σ input`.
  ///
  /// - Returns: Whether there is a contribution. If not, nothing is written, and `rowTerms` is nil for the
  ///   multiplication.
  /// - Parameter terms: Memory for `rows` values.
  package func computeRowTerms(
    rows: Int, input: ByteRows, weightZeroPoint: Int32, weightsAreSigned: Bool, into terms: UnsafeMutablePointer<Int32>
  ) -> Bool {
    let zeroPoint = weightsAreSigned ? weightZeroPoint : weightZeroPoint &- 128
    guard zeroPoint != 0 else { return false }
    set.call.row_sums_u8(
      rows, input.taps, input.tapDepth, input.base, input.stride, input.flip, input.offsets, input.zeroRow,
      Int(0 &- zeroPoint), terms)
    return true
  }

  /// Computes `output[r, c] = clamp(zeroPoint + round(accumulator * scale[c]), lower, upper)` in float, ties to even.
  /// The result differs from the reference's fixed-point arithmetic by at most one step. Scaled sums must fit in 32
  /// bits.
  ///
  /// - Parameters:
  ///   - rowTerms: The result of `computeRowTerms`.
  ///   - output: The output, int8 or uint8 depending on `outputIsSigned`. `outputStride` is in bytes.
  ///   - zeroPoint, lower, upper: The zero point and bounds, in the output's own range.
  package func multiplyRequantizing(
    rows: Int, columns: Int, input: ByteRows, panels: UnsafeRawPointer, rowTerms: UnsafePointer<Int32>?,
    output: UnsafeMutableRawPointer, outputIsSigned: Bool, outputStride: Int, zeroPoint: Int32, lower: Int32,
    upper: Int32
  ) {
    let offset: Int32 = outputIsSigned ? 0 : 128
    forEachPart(rows: rows, input: input) { first, rows, input in
      set.call.gemm_u8_requantize(
        rows, columns, input.taps, input.tapDepth, input.base, input.stride, input.flip, input.offsets, input.zeroRow,
        panels, rowTerms.map { $0 + first }, output + first &* outputStride, outputStride, Int(zeroPoint &- offset),
        Int(lower &- offset), Int(upper &- offset), outputIsSigned ? 0 : 0x8080_8080)
    }
  }

  /// Computes `output[r, c] = accumulator`, the first half of bit-exact arithmetic. The second half is
  /// `QuantizationKernels.requantize`.
  ///
  /// - Parameter outputStride: The number of values between two adjacent rows.
  package func multiplyAccumulating(
    rows: Int, columns: Int, input: ByteRows, panels: UnsafeRawPointer, rowTerms: UnsafePointer<Int32>?,
    output: UnsafeMutablePointer<Int32>, outputStride: Int
  ) {
    forEachPart(rows: rows, input: input) { first, rows, input in
      set.call.gemm_u8_accumulate(
        rows, columns, input.taps, input.tapDepth, input.base, input.stride, input.flip, input.offsets, input.zeroRow,
        panels, rowTerms.map { $0 + first }, output + first &* outputStride, outputStride)
    }
  }

  /// Computes `output[r, c] = clamp(Σ (input - rowZeroPoint) * weight * rowScale * scale[c] + bias[c], lower, upper)`
  /// for dynamically quantized float tensors, with weights from `packDynamicRange`.
  ///
  /// - Parameters:
  ///   - rowScales, rowZeroPoints: One value per row (`rowParameterStride` 1) or one for all rows (0). Zero points are
  ///     in the input's own range. If windows are padded, the zero row contains the row's zero point, so use one zero
  ///     point for all rows.
  ///   - outputStride: The number of floats between two adjacent rows.
  ///   - isFused: Whether to compute `(Σ * rowScale) * scale[c] + bias[c]` like XNNPACK, with the second product and
  ///     the sum rounded once if the CPU supports it. Otherwise, computes `Σ * scale[c] * rowScale + bias[c]` like the
  ///     reference, with every step rounded.
  package func multiplyDynamicRange(
    rows: Int, columns: Int, input: ByteRows, panels: UnsafeRawPointer, rowScales: UnsafePointer<Float>,
    rowZeroPoints: UnsafePointer<Int32>, rowParameterStride: Int, output: UnsafeMutablePointer<Float>,
    outputStride: Int, lower: Float, upper: Float, isFused: Bool = false
  ) {
    forEachPart(rows: rows, input: input, keepsSigns: true) { first, rows, input in
      set.call.gemm_u8_dynamic_range(
        rows, columns, input.taps, input.tapDepth, input.base, input.stride, input.flip, input.offsets, input.zeroRow,
        panels, rowScales + first &* rowParameterStride, rowZeroPoints + first &* rowParameterStride,
        rowParameterStride, output + first &* outputStride, outputStride, lower, upper, isFused ? 1 : 0)
    }
  }

  /// Computes the contribution of the offset of packed int4 weights, which are 8 higher, to every block of each row.
  ///
  /// - Parameter terms: Memory for `rows` times the number of blocks values.
  package func computeInt4Terms(
    rows: Int, blocks: Int4Blocks, input: UnsafePointer<Int8>, into terms: UnsafeMutablePointer<Int32>
  ) {
    let input = ByteRows.rows(base: input, isSigned: true, stride: blocks.size, depth: blocks.size)
    _ = computeRowTerms(
      rows: rows * blocks.count, input: input, weightZeroPoint: 8, weightsAreSigned: true, into: terms)
  }

  /// Computes the products of dynamically quantized rows with weights from `packInt4`.
  ///
  /// If columns have scales, the results are those of `multiplyDynamicRange` with the same weights in bytes. If blocks
  /// have scales, computes
  /// `output[r, c] = clamp((Σ_b scale[c, b] * Σ input * weight - zero[c] * rowZeroPoint) * rowScale + bias[c], lower, upper)`,
  /// where `zero[c]` is the sum of scaled weights, with every step rounded, blocks in ascending order.
  ///
  /// - Parameters:
  ///   - input: Contiguous rows of whole blocks. Up to seven bytes after the last row are read; their values have no
  ///     effect.
  ///   - rowTerms: The result of `computeInt4Terms`.
  package func multiplyDynamicRange(
    rows: Int, columns: Int, blocks: Int4Blocks, input: UnsafePointer<Int8>, rowTerms: UnsafePointer<Int32>,
    panels: UnsafeRawPointer, rowScales: UnsafePointer<Float>, rowZeroPoints: UnsafePointer<Int32>,
    output: UnsafeMutablePointer<Float>, outputStride: Int, lower: Float, upper: Float, isFused: Bool
  ) {
    set.call.gemm_i4_dynamic_range(
      rows, columns, blocks.count, blocks.size, input, blocks.count * blocks.size, rowTerms, panels, rowScales,
      rowZeroPoints, output, outputStride, lower, upper, blocks.haveScales ? 1 : 0, isFused ? 1 : 0)
  }
}

extension QuantizedGemmKernels {
  init(set: EntryPoints<swiftlet_kernel_set>) {
    self.init(
      set: set, panelColumns: set.call.panel_columns(), groupBytes: set.call.group_bytes(),
      prefersUnsigned: set.call.prefers_unsigned_bytes() != 0, tileRows: set.call.quantized_tile_rows(),
      weightVectorBytes: set.call.weight_vector_bytes(), copiedByteSize: set.call.copied_byte_size())
  }
}
