internal import SwiftletKernelSets

/// Bilinear interpolation in two steps: first blend two rows to one, then blend pairs of pixels in that row.
///
/// - Types: float32; int8 and int16 in exact fixed point; uint8 through float32, with two roundings fewer than float32.
/// - Source: The image resizing of the reference runtime. Integers and uint8 are bit-exact with it. Floats are
///   bit-exact with XNNPACK if columns are blended before rows.
/// - Thread safety: callable concurrently on disjoint outputs.
package struct ResizeKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  /// The number of bytes after a blended row that the column functions may read.
  package static let slackBytes = 64

  /// Computes `output[i] = first[i] + (second[i] - first[i]) * secondWeight`.
  package func mixRows(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ secondWeight: Float, count: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    set.call.mix_rows_f32(first, second, secondWeight, count, output)
  }

  /// Blends rows of bytes with fixed-point weights that sum to one; see ``ByteMixing``.
  package func mixRows(
    _ first: UnsafePointer<Int8>, _ second: UnsafePointer<Int8>, _ firstWeight: Int32, _ secondWeight: Int32,
    count: Int,
    into output: UnsafeMutablePointer<Int32>
  ) {
    set.call.mix_rows_s8(first, second, firstWeight, secondWeight, count, output)
  }

  /// Computes `output[i] = row[i] * weight`.
  package func scaleRow(
    _ row: UnsafePointer<UInt8>, by weight: Float, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    set.call.scale_row_u8(row, weight, count, output)
  }

  /// Computes one output row, pixel by pixel, for all channels: `lower + (upper - lower) * upperWeight`.
  ///
  /// - Parameter row: A blended row, followed by `slackBytes` readable bytes.
  package func mixColumns(
    _ row: UnsafePointer<Float>, taps: UnsafeBufferPointer<ColumnTap<Float>>, channels: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    guard let start = taps.baseAddress else { return }
    set.call.mix_columns_f32(row, start, taps.count, channels, output)
  }

  /// Blends pixels of fixed-point sums with both weights.
  package func mixColumns(
    _ row: UnsafePointer<Int32>, taps: UnsafeBufferPointer<ColumnTap<Int32>>, channels: Int, _ mixing: ByteMixing,
    into output: UnsafeMutablePointer<Int8>
  ) {
    guard let start = taps.baseAddress else { return }
    set.call.mix_columns_s8(
      row, start, taps.count, channels, 2 * mixing.fractionBits, mixing.roundsHalvesUp ? 0 : -1, output)
  }

  /// Computes one output row from two rows that are scaled by their weights but not yet added.
  ///
  /// - Parameters:
  ///   - first, second: The rows, each followed by `slackBytes` readable bytes.
  package func mixColumns(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, taps: UnsafeBufferPointer<ColumnTap<Float>>,
    channels: Int, into output: UnsafeMutablePointer<UInt8>
  ) {
    guard let start = taps.baseAddress else { return }
    set.call.mix_columns_u8(first, second, start, taps.count, channels, output)
  }
}

/// The fixed-point format for blending bytes: the unit of the weights, and the rounding of the sums.
package struct ByteMixing: Sendable, Hashable {
  /// The number of fraction bits of the weights.
  package var fractionBits: Int32
  /// Whether sums are rounded half up. Otherwise, they are rounded half away from zero.
  package var roundsHalvesUp: Bool

  /// The format of the reference kernels, with weights from -1024 to 2048.
  package static let reference = ByteMixing(fractionBits: 10, roundsHalvesUp: false)
  /// The format of XNNPACK.
  package static let fast = ByteMixing(fractionBits: 11, roundsHalvesUp: true)

  package var one: Int32 { 1 << fractionBits }
}
