internal import SwiftletKernelSets

/// Matrix multiplication of bytes on packed weights, with three ends: requantized bytes, 32-bit accumulators, floats.
///
/// - Types: int8 or uint8 input and output in any combination, int8 or uint8 weights.
/// - Source: accumulators are exact: `bias + Σ (input - inputZeroPoint) * (weight - weightZeroPoint)` modulo 2³².
/// - Thread safety: callable concurrently on disjoint outputs. How rows and columns are shared out between calls does
///   not change the result.
package struct QuantizedGemmKernels: Sendable {
  typealias Requantize =
    @convention(c) (
      Int, Int, Int, Int, UnsafeRawPointer, Int, Int32, UnsafePointer<Int32>?, UnsafeRawPointer, UnsafeRawPointer,
      UnsafePointer<Int32>?, UnsafeMutableRawPointer, Int, Int, Int, Int, Int
    ) -> Void
  typealias Accumulate =
    @convention(c) (
      Int, Int, Int, Int, UnsafeRawPointer, Int, Int32, UnsafePointer<Int32>?, UnsafeRawPointer, UnsafeRawPointer,
      UnsafePointer<Int32>?, UnsafeMutablePointer<Int32>, Int
    ) -> Void
  typealias DynamicRange =
    @convention(c) (
      Int, Int, Int, Int, UnsafeRawPointer, Int, Int32, UnsafePointer<Int32>?, UnsafeRawPointer, UnsafeRawPointer,
      UnsafePointer<Float>, UnsafePointer<Int32>, Int, UnsafeMutablePointer<Float>, Int, Float, Float, Int
    ) -> Void
  typealias RowSums =
    @convention(c) (
      Int, Int, Int, UnsafeRawPointer, Int, Int32, UnsafePointer<Int32>?, UnsafeRawPointer, Int,
      UnsafeMutablePointer<Int32>
    ) -> Void
  typealias Pack =
    @convention(c) (
      Int, Int, Int, UnsafeRawPointer, Int, Int, Int, Int32, Int, Int, UnsafePointer<Int32>?, UnsafePointer<Float>?,
      Int, UnsafePointer<Float>?, UnsafeMutableRawPointer
    ) -> Void

  let requantizing: Requantize
  let accumulating: Accumulate
  let dynamicRange: DynamicRange
  let rowSums: RowSums
  let pack: Pack
  /// Columns of one packed panel: 32 for AVX-512, 16 for AVX2, 8 or 16 for portable.
  package let panelColumns: Int
  /// Neighboring bytes of a column that lie side by side in a panel: 4, or 8 where products take eight at once.
  let groupBytes: Int
  /// Whether unsigned input is faster than signed: then it pays to flip sign bits once and to multiply unsigned bytes.
  package let prefersUnsigned: Bool
  /// Rows of a whole tile; row ranges that are a multiple of it waste nothing.
  package let tileRows: Int

  /// Bytes that packed weights take.
  package func packedByteCount(columns: Int, taps: Int, tapDepth: Int) -> Int {
    let rows = taps * ((tapDepth + groupBytes - 1) / groupBytes * (groupBytes / 4))
    return (columns + panelColumns - 1) / panelColumns * panelColumns * 4 * (4 + rows)
  }

  /// Packs weights for the multiplications below; weight of column `c`, tap `t`, channel `d` is read from
  /// `weights + c * columnStride + t * tapStride + d * channelStride` (bytes).
  ///
  /// To pack a range of columns (in parallel, say) start it at a multiple of `panelColumns` and move `weights`, `bias`,
  /// `scales` and `panels` accordingly.
  ///
  /// - Parameters:
  ///   - weightZeroPoint: As in the tensor. If it is not 0 for int8 or not 128 for uint8, multiplications need
  ///     `rowTerms`.
  ///   - inputZeroPoint: As in the input tensor, whose signedness is `inputIsSigned`.
  ///   - bias: `columns` values at input scale times weight scale, or nil for zeros.
  ///   - scales: Input scale × weight scale / output scale, per column (`scaleStride` 1) or one for all (0); nil where
  ///     only accumulators are wanted.
  ///   - panels: Room for `packedByteCount` bytes, aligned to 4 at least; 64 is fastest.
  package func pack(
    columns: Int, taps: Int, tapDepth: Int, weights: UnsafeRawPointer, weightsAreSigned: Bool, columnStride: Int,
    tapStride: Int, channelStride: Int, weightZeroPoint: Int32, inputZeroPoint: Int32, inputIsSigned: Bool,
    bias: UnsafePointer<Int32>?, scales: UnsafePointer<Float>?, scaleStride: Int,
    into panels: UnsafeMutableRawPointer
  ) {
    pack(
      columns, taps, tapDepth, weights, columnStride, tapStride, channelStride,
      weightsAreSigned ? 0 : Int32(bitPattern: 0x8080_8080),
      Int(weightsAreSigned ? weightZeroPoint : weightZeroPoint &- 128),
      Int(inputIsSigned ? inputZeroPoint &+ 128 : inputZeroPoint), bias, scales, scaleStride, nil, panels)
  }

  /// Packs int8 weights of zero point 0 for `multiplyDynamicRange`, whose input has its zero point per row.
  ///
  /// - Parameters:
  ///   - scales: Weight scale per column (`scaleStride` 1) or one for all (0).
  ///   - bias: `columns` floats, or nil for zeros.
  package func packDynamicRange(
    columns: Int, taps: Int, tapDepth: Int, weights: UnsafePointer<Int8>, columnStride: Int, tapStride: Int,
    channelStride: Int, scales: UnsafePointer<Float>, scaleStride: Int, bias: UnsafePointer<Float>?,
    into panels: UnsafeMutableRawPointer
  ) {
    pack(
      columns, taps, tapDepth, weights, columnStride, tapStride, channelStride, 0, 0, 0, nil, scales, scaleStride,
      bias, panels)
  }

  /// What the weight zero point contributes to each row: `-weightZeroPoint * Σ input`.
  ///
  /// - Returns: whether there is a contribution; if not, nothing is written and `rowTerms` is nil for the
  ///   multiplication.
  /// - Parameter terms: Room for `rows` values.
  package func computeRowTerms(
    rows: Int, input: ByteRows, weightZeroPoint: Int32, weightsAreSigned: Bool, into terms: UnsafeMutablePointer<Int32>
  ) -> Bool {
    let zeroPoint = weightsAreSigned ? weightZeroPoint : weightZeroPoint &- 128
    guard zeroPoint != 0 else { return false }
    rowSums(
      rows, input.taps, input.tapDepth, input.base, input.stride, input.flip, input.offsets, input.zeroRow,
      Int(0 &- zeroPoint), terms)
    return true
  }

  /// `output[r, c] = clamp(zeroPoint + round(accumulator * scale[c]), lower, upper)`, in float, ties to even: at most
  /// one step from the reference's fixed-point arithmetic. Scales must be below 1.
  ///
  /// - Parameters:
  ///   - rowTerms: From `computeRowTerms`.
  ///   - output: Int8 or uint8 by `outputIsSigned`; `outputStride` is in bytes.
  ///   - zeroPoint, lower, upper: in the output's own range.
  package func multiplyRequantizing(
    rows: Int, columns: Int, input: ByteRows, panels: UnsafeRawPointer, rowTerms: UnsafePointer<Int32>?,
    output: UnsafeMutableRawPointer, outputIsSigned: Bool, outputStride: Int, zeroPoint: Int32, lower: Int32,
    upper: Int32
  ) {
    let offset: Int32 = outputIsSigned ? 0 : 128
    requantizing(
      rows, columns, input.taps, input.tapDepth, input.base, input.stride, input.flip, input.offsets, input.zeroRow,
      panels, rowTerms, output, outputStride, Int(zeroPoint &- offset), Int(lower &- offset), Int(upper &- offset),
      outputIsSigned ? 0 : 0x8080_8080)
  }

  /// `output[r, c] = accumulator`: the first half of bit-exact arithmetic, whose second is
  /// `QuantizationKernels.requantize`.
  ///
  /// - Parameter outputStride: Values from one row to the next.
  package func multiplyAccumulating(
    rows: Int, columns: Int, input: ByteRows, panels: UnsafeRawPointer, rowTerms: UnsafePointer<Int32>?,
    output: UnsafeMutablePointer<Int32>, outputStride: Int
  ) {
    accumulating(
      rows, columns, input.taps, input.tapDepth, input.base, input.stride, input.flip, input.offsets, input.zeroRow,
      panels, rowTerms, output, outputStride)
  }

  /// `output[r, c] = clamp(Σ (input - rowZeroPoint) * weight * rowScale * scale[c] + bias[c], lower, upper)` for float
  /// tensors quantized on the fly, on weights from `packDynamicRange`.
  ///
  /// - Parameters:
  ///   - rowScales, rowZeroPoints: per row (`rowParameterStride` 1) or one for all rows (0); zero points in the input's
  ///     own range. Where windows are padded the zero row holds the row's zero point, so use one for all rows.
  ///   - outputStride: Floats from one row to the next.
  ///   - isFused: `(Σ * rowScale) * scale[c] + bias[c]` with the second product and the sum rounded once where the
  ///     processor can, as XNNPACK has it; otherwise `Σ * scale[c] * rowScale + bias[c]`, every step rounded, as the
  ///     reference has it.
  package func multiplyDynamicRange(
    rows: Int, columns: Int, input: ByteRows, panels: UnsafeRawPointer, rowScales: UnsafePointer<Float>,
    rowZeroPoints: UnsafePointer<Int32>, rowParameterStride: Int, output: UnsafeMutablePointer<Float>,
    outputStride: Int, lower: Float, upper: Float, isFused: Bool = false
  ) {
    dynamicRange(
      rows, columns, input.taps, input.tapDepth, input.base, input.stride, input.flip, input.offsets, input.zeroRow,
      panels, rowScales, rowZeroPoints, rowParameterStride, output, outputStride, lower, upper,
      isFused ? 1 : 0)
  }
}

extension QuantizedGemmKernels {
  init(_ set: swiftlet_kernel_set) {
    self.init(
      requantizing: set.gemm_u8_requantize, accumulating: set.gemm_u8_accumulate,
      dynamicRange: set.gemm_u8_dynamic_range,
      rowSums: set.row_sums_u8, pack: set.pack_u8, panelColumns: set.panel_columns(),
      groupBytes: set.group_bytes(),
      prefersUnsigned: set.prefers_unsigned_bytes() != 0, tileRows: set.quantized_tile_rows())
  }
}
