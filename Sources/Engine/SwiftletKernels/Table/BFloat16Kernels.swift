internal import SwiftletKernelSets

/// `GemmKernels` in reduced precision: inputs and weights are rounded to bfloat16 (8 significant bits), products are
/// exact, sums float32.
///
/// - Types: float32 weights and results, inputs of 16 bits from `round`.
/// - Source: one chain of sums of two products per output, bias first, then taps in order and channels in order within
///   a tap. Denormals count as zero, in inputs, weights and sums. Inexact sums are rounded to the nearest, ties to
///   even, on x86-64; on arm64 so that their last bit is 1.
/// - Thread safety: callable concurrently on disjoint outputs. How rows and columns are shared out between calls does
///   not change a single bit of the result.
package struct BFloat16Kernels: Sendable {
  typealias Multiply =
    @convention(c) (
      Int, Int, Int, Int, UnsafePointer<UInt16>, Int, UnsafePointer<Int32>?, UnsafePointer<UInt16>, UnsafeRawPointer,
      UnsafeMutablePointer<Float>, Int, Float, Float
    ) -> Void
  typealias MultiplyRounded =
    @convention(c) (
      Int, Int, Int, UnsafePointer<Float>, Int, UnsafeMutablePointer<UInt16>, UnsafeRawPointer,
      UnsafeMutablePointer<Float>, Int, Float, Float
    ) -> Void
  typealias Pack =
    @convention(c) (
      Int, Int, Int, UnsafePointer<Float>, Int, Int, Int, UnsafePointer<Float>?, UnsafeMutablePointer<UInt32>
    ) -> Void
  typealias Round =
    @convention(c) (Int, Int, UnsafePointer<Float>, Int, UnsafeMutablePointer<UInt16>, Int) -> Void

  let multiply: Multiply
  let multiplyRounded: MultiplyRounded
  let roundedRows: @convention(c) (Int, Int) -> Int
  let pack: Pack
  let round: Round
  /// Columns of one packed panel.
  package let panelColumns: Int
  /// How many elements of a tap are multiplied in one step: 2 or 4.
  package let group: Int
  /// Rows of a whole tile; row ranges that are a multiple of it waste nothing.
  package let tileRows: Int

  /// Steps that a depth of `taps` times `tapDepth` takes: every tap begins with a new one. One costs what a step of one
  /// element costs in float32.
  package func steps(taps: Int, tapDepth: Int) -> Int { taps * ((tapDepth + group - 1) / group) }

  /// 32-bit words that packed weights take: `columns` rounded up to whole panels, times those of a bias and of the
  /// steps.
  package func packedCount(columns: Int, taps: Int, tapDepth: Int) -> Int {
    let words = steps(taps: taps, tapDepth: tapDepth) * group / 2 + 1
    return (columns + panelColumns - 1) / panelColumns * panelColumns * words
  }

  /// Numbers of scratch memory that `multiplyFloatRows` needs.
  package func scratchCount(rows: Int, columns: Int, depth: Int) -> Int {
    (min(rows, roundedRows(columns, depth)) + 1) * depth
  }

  /// Rounds and packs weights.
  ///
  /// The weight of column `c` for element `e` of tap `t` is read from `weights[c * columnStride + t * tapStride + e *
  /// depthStride]`. To pack a range of columns start it at a multiple of `panelColumns`.
  ///
  /// - Parameters:
  ///   - bias: `columns` values, or nil for zeros.
  ///   - panels: Room for `packedCount(columns:taps:tapDepth:)` words; 64-byte alignment is fastest.
  package func pack(
    columns: Int, taps: Int, tapDepth: Int, weights: UnsafePointer<Float>, columnStride: Int, tapStride: Int,
    depthStride: Int, bias: UnsafePointer<Float>?, into panels: UnsafeMutablePointer<UInt32>
  ) {
    pack(columns, taps, tapDepth, weights, columnStride, tapStride, depthStride, bias, panels)
  }

  /// Rounds `rows` rows of `columns` numbers to the nearest bfloat16, ties to even; distances between rows count
  /// numbers. Denormals may become zero, for which products take them anyway.
  package func round(
    rows: Int, columns: Int, input: UnsafePointer<Float>, inputStride: Int, output: UnsafeMutablePointer<UInt16>,
    outputStride: Int
  ) {
    round(rows, columns, input, inputStride, output, outputStride)
  }

  /// `output[r, c] = clamp(bias[c] + Σ input[r, d] * weight[c, d])` for rows at a constant distance; see
  /// `GemmKernels.multiplyRows`.
  ///
  /// - Parameter panels: Packed with one tap of `depth` elements.
  package func multiplyRows(
    rows: Int, columns: Int, depth: Int, input: UnsafePointer<UInt16>, inputStride: Int, panels: UnsafeRawPointer,
    output: UnsafeMutablePointer<Float>, outputStride: Int, lower: Float, upper: Float
  ) {
    multiply(rows, columns, 1, depth, input, inputStride, nil, input, panels, output, outputStride, lower, upper)
  }

  /// The same for float32 rows, which are rounded a few at a time.
  ///
  /// - Parameter scratch: Room for `scratchCount(rows:columns:depth:)` numbers.
  package func multiplyFloatRows(
    rows: Int, columns: Int, depth: Int, input: UnsafePointer<Float>, inputStride: Int,
    scratch: UnsafeMutablePointer<UInt16>, panels: UnsafeRawPointer, output: UnsafeMutablePointer<Float>,
    outputStride: Int, lower: Float, upper: Float
  ) {
    multiplyRounded(rows, columns, depth, input, inputStride, scratch, panels, output, outputStride, lower, upper)
  }

  /// The same over a window of rounded numbers; see `GemmKernels.multiplyTaps`. Taps may be merged only as they were
  /// packed, unless `tapDepth` is a multiple of `group`.
  package func multiplyTaps(
    rows: Int, columns: Int, taps: Int, tapDepth: Int, input: UnsafePointer<UInt16>, offsets: UnsafePointer<Int32>,
    zeroRow: UnsafePointer<UInt16>, panels: UnsafeRawPointer, output: UnsafeMutablePointer<Float>, outputStride: Int,
    lower: Float, upper: Float
  ) {
    multiply(rows, columns, taps, tapDepth, input, 0, offsets, zeroRow, panels, output, outputStride, lower, upper)
  }
}

extension BFloat16Kernels {
  /// - Parameter base: The set that `set` comes with, whose panels its panels are like.
  init(_ set: swiftlet_bfloat16_kernel_set, base: swiftlet_kernel_set) {
    self.init(
      multiply: set.gemm_bf16, multiplyRounded: set.gemm_rounded_bf16, roundedRows: set.rounded_rows,
      pack: set.pack_bf16, round: set.round_bf16, panelColumns: base.panel_columns(),
      group: set.bf16_group(), tileRows: base.tile_rows())
  }
}
