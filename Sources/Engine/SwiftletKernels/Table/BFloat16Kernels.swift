internal import SwiftletKernelSets

/// `GemmKernels` in reduced precision: inputs and weights are rounded to bfloat16 (8 significant bits), products are
/// exact, and sums are float32.
///
/// - Types: Float32 weights and results, and 16-bit inputs from `round`.
/// - Source: One chain of sums of two products per output: bias first, then taps in order, and channels in order within
///   a tap. Denormals in inputs, weights, and sums are flushed to zero. Inexact sums are rounded to nearest, ties to
///   even, on x86-64. On arm64, they are rounded so that their last bit is 1.
/// - Thread safety: callable concurrently on disjoint outputs. Results are bit-exact for any distribution of rows and
///   columns over calls.
package struct BFloat16Kernels: Sendable {
  let set: EntryPoints<swiftlet_bfloat16_kernel_set>

  /// The number of columns in a packed panel.
  package let panelColumns: Int
  /// The number of elements of a tap that are multiplied in one step: 2 or 4.
  package let group: Int
  /// The number of rows in a whole tile. Row ranges that are multiples of it waste nothing.
  package let tileRows: Int

  /// Returns the number of steps for a depth of `taps` times `tapDepth`. Every tap starts a new step. A step costs as
  /// much as a step of one element in float32.
  package func steps(taps: Int, tapDepth: Int) -> Int { taps * ((tapDepth + group - 1) / group) }

  /// Returns the number of 32-bit words of packed weights: `columns` rounded up to whole panels, times the words of a
  /// bias and of the steps.
  package func packedCount(columns: Int, taps: Int, tapDepth: Int) -> Int {
    let words = steps(taps: taps, tapDepth: tapDepth) * group / 2 + 1
    return (columns + panelColumns - 1) / panelColumns * panelColumns * words
  }

  /// Returns the size of the scratch memory for `multiplyFloatRows`, in elements.
  package func scratchCount(rows: Int, columns: Int, depth: Int) -> Int {
    (min(rows, set.call.rounded_rows(columns, depth)) + 1) * depth
  }

  /// Rounds and packs weights.
  ///
  /// The weight of column `c` for element `e` of tap `t` is read from `weights[c * columnStride + t * tapStride + e *
  /// depthStride]`. To pack a range of columns, start it at a multiple of `panelColumns`.
  ///
  /// - Parameters:
  ///   - bias: The bias, `columns` values, or nil for zeros.
  ///   - panels: Memory for `packedCount(columns:taps:tapDepth:)` words. 64-byte alignment is fastest.
  package func pack(
    columns: Int, taps: Int, tapDepth: Int, weights: UnsafePointer<Float>, columnStride: Int, tapStride: Int,
    depthStride: Int, bias: UnsafePointer<Float>?, into panels: UnsafeMutablePointer<UInt32>
  ) {
    set.call.pack_bf16(columns, taps, tapDepth, weights, columnStride, tapStride, depthStride, bias, panels)
  }

  /// Rounds `rows` rows of `columns` numbers to the nearest bfloat16, ties to even. Row strides are in elements.
  /// Denormals may become zero, because products flush them to zero anyway.
  package func round(
    rows: Int, columns: Int, input: UnsafePointer<Float>, inputStride: Int, output: UnsafeMutablePointer<UInt16>,
    outputStride: Int
  ) {
    set.call.round_bf16(rows, columns, input, inputStride, output, outputStride)
  }

  /// Computes `output[r, c] = clamp(bias[c] + Σ input[r, d] * weight[c, d])` for rows at a constant stride; see
  /// `GemmKernels.multiplyRows`.
  ///
  /// - Parameter panels: The weights, packed with one tap of `depth` elements.
  package func multiplyRows(
    rows: Int, columns: Int, depth: Int, input: UnsafePointer<UInt16>, inputStride: Int, panels: UnsafeRawPointer,
    output: UnsafeMutablePointer<Float>, outputStride: Int, lower: Float, upper: Float
  ) {
    set.call.gemm_bf16(
      rows, columns, 1, depth, input, inputStride, nil, input, panels, output, outputStride, lower, upper)
  }

  /// Multiplies float32 rows, which are rounded a few at a time; otherwise like `multiplyRows`.
  ///
  /// - Parameter scratch: Memory for `scratchCount(rows:columns:depth:)` elements.
  package func multiplyFloatRows(
    rows: Int, columns: Int, depth: Int, input: UnsafePointer<Float>, inputStride: Int,
    scratch: UnsafeMutablePointer<UInt16>, panels: UnsafeRawPointer, output: UnsafeMutablePointer<Float>,
    outputStride: Int, lower: Float, upper: Float
  ) {
    set.call.gemm_rounded_bf16(
      rows, columns, depth, input, inputStride, scratch, panels, output, outputStride, lower, upper)
  }

  /// Multiplies windows of rounded numbers; see `GemmKernels.multiplyTaps`. Taps must be merged as they were packed,
  /// unless `tapDepth` is a multiple of `group`.
  package func multiplyTaps(
    rows: Int, columns: Int, taps: Int, tapDepth: Int, input: UnsafePointer<UInt16>, offsets: UnsafePointer<Int32>,
    zeroRow: UnsafePointer<UInt16>, panels: UnsafeRawPointer, output: UnsafeMutablePointer<Float>, outputStride: Int,
    lower: Float, upper: Float
  ) {
    set.call.gemm_bf16(
      rows, columns, taps, tapDepth, input, 0, offsets, zeroRow, panels, output, outputStride, lower, upper)
  }
}

extension BFloat16Kernels {
  /// Creates the kernels of a set.
  ///
  /// - Parameter base: The set that `set` complements, which has the same panel layout.
  init(set: EntryPoints<swiftlet_bfloat16_kernel_set>, base: EntryPoints<swiftlet_kernel_set>) {
    self.init(
      set: set, panelColumns: base.call.panel_columns(), group: set.call.bf16_group(), tileRows: base.call.tile_rows())
  }
}
