internal import SwiftletKernelSets

/// Float32 matrix multiplication on packed weights: 1×1 convolution, fully connected and batch matmul through
/// `multiplyRows`, every other convolution through `multiplyTaps`.
///
/// - Types: float32.
/// - Source: one chain of multiply-adds per output, bias first, then taps in order and channels in order within a
///   tap; fused where the instruction set has it, separate in the portable kernels.
/// - Thread safety: callable concurrently on disjoint outputs. How rows and columns are shared out between calls does
///   not change a single bit of the result.
package struct GemmKernels: Sendable {
  typealias Multiply =
    @convention(c) (
      Int, Int, Int, Int, UnsafePointer<Float>, Int, UnsafePointer<Int32>?, UnsafePointer<Float>, UnsafePointer<Float>,
      UnsafeMutablePointer<Float>, Int, Float, Float
    ) -> Void
  typealias Pack =
    @convention(c) (
      Int, Int, UnsafePointer<Float>, Int, Int, UnsafePointer<Float>?, UnsafeMutablePointer<Float>
    ) -> Void

  let multiply: Multiply
  let pack: Pack
  /// Columns of one packed panel: 32 for AVX-512, 16 for AVX2, 8 or 16 for portable.
  package let panelColumns: Int
  /// Rows of a whole tile; row ranges that are a multiple of it waste nothing.
  package let tileRows: Int

  /// Floats that packed weights take: `columns` rounded up to whole panels, times the depth and a row of biases.
  package func packedCount(columns: Int, depth: Int) -> Int {
    (columns + panelColumns - 1) / panelColumns * panelColumns * (depth + 1)
  }

  /// Packs weights for the two multiplications below.
  ///
  /// Weight of column `c` at depth `d` is read from `weights[c * columnStride + d * depthStride]`: strides
  /// `(depth, 1)` for OHWI filters and fully connected weights, `(1, columns)` for the right-hand side of a matrix
  /// product. To pack a range of columns (in parallel, say) start it at a multiple of `panelColumns` and move
  /// `weights`, `bias` and `panels` accordingly (`panels` by `packedCount` of the columns before).
  ///
  /// - Parameters:
  ///   - depth: Products per output: taps times channels.
  ///   - bias: `columns` values, or nil for zeros.
  ///   - panels: Room for `packedCount(columns:depth:)` floats; 64-byte alignment is fastest.
  package func pack(
    columns: Int, depth: Int, weights: UnsafePointer<Float>, columnStride: Int, depthStride: Int,
    bias: UnsafePointer<Float>?, into panels: UnsafeMutablePointer<Float>
  ) {
    pack(columns, depth, weights, columnStride, depthStride, bias, panels)
  }

  /// `output[r, c] = clamp(bias[c] + Σ input[r, d] * weight[c, d])` for rows at a constant distance.
  ///
  /// One row (a fully connected layer at batch 1) has its own path that reads four panels at once.
  ///
  /// - Parameters:
  ///   - inputStride, outputStride: floats from one row to the next.
  ///   - panels: From `pack`; to compute columns from a multiple of `panelColumns` on, move `panels` and `output`.
  ///   - output: Must not overlap the input; nothing beyond `columns` is written in any row.
  ///   - lower, upper: activation bounds, `-.infinity`/`.infinity` for none. NaN passes through.
  package func multiplyRows(
    rows: Int, columns: Int, depth: Int, input: UnsafePointer<Float>, inputStride: Int, panels: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, outputStride: Int, lower: Float, upper: Float
  ) {
    multiply(
      rows, columns, 1, depth, input, inputStride, nil, input, panels, output, outputStride, lower, upper)
  }

  /// The same over a window: tap `t` of row `r` is the run of `tapDepth` floats at `input + offsets[r * taps + t]`, or
  /// at `zeroRow` where that offset is negative.
  ///
  /// Offsets depend on geometry alone, so one table serves every batch image, group and session: move `input`.
  /// Where a whole window row lies inside the image (dilation 1), a tap may also be that row: `kernelWidth * channels`
  /// floats in one run, with the same packed weights.
  ///
  /// - Parameters:
  ///   - taps: Runs per row; the packed depth is `taps * tapDepth`.
  ///   - offsets: `rows * taps` distances in floats from `input`.
  ///   - zeroRow: `tapDepth` zeros; any valid pointer when no offset is negative.
  package func multiplyTaps(
    rows: Int, columns: Int, taps: Int, tapDepth: Int, input: UnsafePointer<Float>, offsets: UnsafePointer<Int32>,
    zeroRow: UnsafePointer<Float>, panels: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>,
    outputStride: Int, lower: Float, upper: Float
  ) {
    multiply(
      rows, columns, taps, tapDepth, input, 0, offsets, zeroRow, panels, output, outputStride, lower, upper)
  }
}

extension GemmKernels {
  init(_ set: swiftlet_kernel_set) {
    self.init(multiply: set.gemm_f32, pack: set.pack_f32, panelColumns: set.panel_columns(), tileRows: set.tile_rows())
  }
}
