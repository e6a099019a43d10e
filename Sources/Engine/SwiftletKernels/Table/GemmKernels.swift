internal import SwiftletKernelSets

/// Float32 matrix multiplication on packed weights. `multiplyRows` computes 1×1 convolution, fully connected layers,
/// and batch matmul; `multiplyTaps` computes all other convolutions.
///
/// - Types: float32.
/// - Source: One chain of multiply-adds per output: bias first, then taps in order, and channels in order within a tap.
///   Multiply-adds are fused if the instruction set supports it, and separate in the portable kernels.
/// - Thread safety: callable concurrently on disjoint outputs. Results are bit-exact for any distribution of rows and
///   columns over calls.
package struct GemmKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  /// The number of columns in a packed panel: 32 for AVX-512, 16 for AVX2, 8 or 16 for portable.
  package let panelColumns: Int
  /// The number of rows in a whole tile. Row ranges that are multiples of it waste nothing.
  package let tileRows: Int

  /// Whether products of one row with float16 weights are as fast as those with float32 weights in the cache, and
  /// faster if the weights come from memory.
  package let takesFloat16: Bool

  /// Returns the number of floats in packed weights: `columns` rounded up to whole panels, times the depth plus a row
  /// of biases.
  package func packedCount(columns: Int, depth: Int) -> Int {
    (columns + panelColumns - 1) / panelColumns * panelColumns * (depth + 1)
  }

  /// Packs weights for `multiplyRows` and `multiplyTaps`.
  ///
  /// The weight of column `c` at depth `d` is read from `weights[c * columnStride + d * depthStride]`. The strides are
  /// `(depth, 1)` for OHWI filters and fully connected weights, and `(1, columns)` for the right-hand side of a matrix
  /// product. To pack a range of columns, for example in parallel, start it at a multiple of `panelColumns`, and offset
  /// `weights`, `bias`, and `panels` accordingly (`panels` by `packedCount` of the preceding columns).
  ///
  /// - Parameters:
  ///   - depth: The number of products per output: taps times channels.
  ///   - bias: The bias, `columns` values, or nil for zeros.
  ///   - panels: Memory for `packedCount(columns:depth:)` floats. 64-byte alignment is fastest.
  package func pack(
    columns: Int, depth: Int, weights: UnsafePointer<Float>, columnStride: Int, depthStride: Int,
    bias: UnsafePointer<Float>?, into panels: UnsafeMutablePointer<Float>
  ) {
    set.call.pack_f32(columns, depth, weights, columnStride, depthStride, bias, panels)
  }

  /// Computes `output[r, c] = clamp(bias[c] + Σ input[r, d] * weight[c, d])` for rows at a constant stride.
  ///
  /// A single row (a fully connected layer at batch 1) has a separate path that reads four panels at once.
  ///
  /// - Parameters:
  ///   - inputStride, outputStride: The number of floats between two adjacent rows.
  ///   - panels: The weights packed by `pack`. To compute columns from a multiple of `panelColumns` on, offset `panels`
  ///     and `output`.
  ///   - output: The output, which must not overlap the input. Nothing beyond `columns` is written in any row.
  ///   - lower, upper: The activation bounds, `-.infinity`/`.infinity` for none. NaN passes through.
  package func multiplyRows(
    rows: Int, columns: Int, depth: Int, input: UnsafePointer<Float>, inputStride: Int, panels: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, outputStride: Int, lower: Float, upper: Float
  ) {
    set.call.gemm_f32(
      rows, columns, 1, depth, input, inputStride, nil, input, panels, output, outputStride, lower, upper)
  }

  /// Multiplies windows: tap `t` of row `r` is the run of `tapDepth` floats at `input + offsets[r * taps + t]`, or at
  /// `zeroRow` if that offset is negative.
  ///
  /// Offsets depend only on the geometry, so one indirection buffer serves every batch image, group, and session with a
  /// different `input`. If a whole window row is inside the image (dilation 1), it can be used as one tap of
  /// `kernelWidth * channels` floats with the same packed weights.
  ///
  /// - Parameters:
  ///   - taps: The number of runs per row. The packed depth is `taps * tapDepth`.
  ///   - offsets: The offsets from `input` in floats, `rows * taps` values.
  ///   - zeroRow: `tapDepth` zeros, or any valid pointer if no offset is negative.
  package func multiplyTaps(
    rows: Int, columns: Int, taps: Int, tapDepth: Int, input: UnsafePointer<Float>, offsets: UnsafePointer<Int32>,
    zeroRow: UnsafePointer<Float>, panels: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>,
    outputStride: Int, lower: Float, upper: Float
  ) {
    set.call.gemm_f32(
      rows, columns, taps, tapDepth, input, 0, offsets, zeroRow, panels, output, outputStride, lower, upper)
  }

  /// Returns the size of packed float16 weights in bytes.
  package func packedFloat16ByteCount(columns: Int, depth: Int) -> Int {
    (columns + panelColumns - 1) / panelColumns * panelColumns * (4 + 2 * depth)
  }

  /// Packs float16 weights for `multiplyFloat16Row`. A column is contiguous.
  ///
  /// To pack a range of columns, see `pack`.
  ///
  /// - Parameters:
  ///   - columnStride: The distance between two columns of `weights`.
  ///   - bias: A bias for every column, or nil for zeros.
  ///   - panels: Memory for `packedFloat16ByteCount` bytes. 64-byte alignment is fastest.
  package func packFloat16(
    columns: Int, depth: Int, weights: UnsafePointer<UInt16>, columnStride: Int, bias: UnsafePointer<Float>?,
    into panels: UnsafeMutableRawPointer
  ) {
    let panelBytes = packedFloat16ByteCount(columns: 1, depth: depth)
    for first in stride(from: 0, to: columns, by: panelColumns) {
      let panel = panels + first / panelColumns &* panelBytes
      let biases = panel.assumingMemoryBound(to: Float.self)
      let halves = (panel + panelColumns &* 4).assumingMemoryBound(to: UInt16.self)
      for lane in 0..<panelColumns {
        let column = first &+ lane
        biases[lane] = column < columns ? bias?[column] ?? 0 : 0
        let source = weights + column &* columnStride
        var target = halves + lane
        for step in 0..<depth {
          target.pointee = column < columns ? source[step] : 0
          target += panelColumns
        }
      }
    }
  }

  /// Computes `output[c] = clamp(bias[c] + Σ input[d] * weight[c, d])` for weights from `packFloat16`. The result is
  /// that of `multiplyRows` with the same weights in float32, bit for bit.
  package func multiplyFloat16Row(
    columns: Int, depth: Int, input: UnsafePointer<Float>, panels: UnsafeRawPointer,
    output: UnsafeMutablePointer<Float>, lower: Float, upper: Float
  ) {
    set.call.row_f16(columns, depth, input, panels, output, lower, upper)
  }
}

extension GemmKernels {
  init(set: EntryPoints<swiftlet_kernel_set>) {
    self.init(
      set: set, panelColumns: set.call.panel_columns(), tileRows: set.call.tile_rows(),
      takesFloat16: set.call.loads_float16() != 0)
  }
}
