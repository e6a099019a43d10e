internal import SwiftletKernelSets

/// Bilinear interpolation in its two steps: two rows are mixed into one, then pairs of pixels of that row.
///
/// - Types: float32; int8 and int16 in fixed point, exact; uint8 through float32 with two roundings less than float32
///   has.
/// - Source: the reference runtime's resizing of images; integers and uint8 are equal to it to the last bit. Floats are
///   equal to XNNPACK's to the last bit if columns are mixed before rows.
/// - Thread safety: callable concurrently on disjoint outputs.
package struct ResizeKernels: Sendable {
  typealias MixFloatRows =
    @convention(c) (UnsafePointer<Float>, UnsafePointer<Float>, Float, Int, UnsafeMutablePointer<Float>) -> Void
  typealias MixFloatColumns =
    @convention(c) (UnsafePointer<Float>, UnsafeRawPointer, Int, Int, UnsafeMutablePointer<Float>) -> Void
  typealias MixInt8Rows =
    @convention(c) (
      UnsafePointer<Int8>, UnsafePointer<Int8>, Int32, Int32, Int, UnsafeMutablePointer<Int32>
    ) -> Void
  typealias MixInt8Columns =
    @convention(c) (
      UnsafePointer<Int32>, UnsafeRawPointer, Int, Int, Int32, Int32, UnsafeMutablePointer<Int8>
    ) -> Void
  typealias ScaleRow = @convention(c) (UnsafePointer<UInt8>, Float, Int, UnsafeMutablePointer<Float>) -> Void
  typealias MixScaledColumns =
    @convention(c) (
      UnsafePointer<Float>, UnsafePointer<Float>, UnsafeRawPointer, Int, Int, UnsafeMutablePointer<UInt8>
    ) -> Void

  let mixFloatRows: MixFloatRows
  let mixFloatColumns: MixFloatColumns
  let mixInt8Rows: MixInt8Rows
  let mixInt8Columns: MixInt8Columns
  let scaleByteRow: ScaleRow
  let mixByteColumns: MixScaledColumns

  /// Bytes behind a mixed row that the column functions may read.
  package static let slackBytes = 64

  /// `output[i] = first[i] + (second[i] - first[i]) * secondWeight`.
  package func mixRows(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ secondWeight: Float, count: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    mixFloatRows(first, second, secondWeight, count, output)
  }

  /// The same of bytes, with weights in fixed point that add up to one, as ``ByteMixing`` says.
  package func mixRows(
    _ first: UnsafePointer<Int8>, _ second: UnsafePointer<Int8>, _ firstWeight: Int32, _ secondWeight: Int32,
    count: Int,
    into output: UnsafeMutablePointer<Int32>
  ) {
    mixInt8Rows(first, second, firstWeight, secondWeight, count, output)
  }

  /// `output[i] = row[i] * weight`.
  package func scaleRow(
    _ row: UnsafePointer<UInt8>, by weight: Float, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    scaleByteRow(row, weight, count, output)
  }

  /// One output row, pixel after pixel, all channels: `lower + (upper - lower) * upperWeight`.
  ///
  /// - Parameter row: A mixed row, with `slackBytes` readable bytes behind it.
  package func mixColumns(
    _ row: UnsafePointer<Float>, taps: UnsafeBufferPointer<ColumnTap<Float>>, channels: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    guard let start = taps.baseAddress else { return }
    mixFloatColumns(row, start, taps.count, channels, output)
  }

  /// The same of sums in fixed point, with both weights.
  package func mixColumns(
    _ row: UnsafePointer<Int32>, taps: UnsafeBufferPointer<ColumnTap<Int32>>, channels: Int, _ mixing: ByteMixing,
    into output: UnsafeMutablePointer<Int8>
  ) {
    guard let start = taps.baseAddress else { return }
    mixInt8Columns(
      row, start, taps.count, channels, 2 * mixing.fractionBits, mixing.roundsHalvesUp ? 0 : -1, output)
  }

  /// One output row from two rows that are scaled by their weights but not yet added.
  ///
  /// - Parameters:
  ///   - first, second: with `slackBytes` readable bytes behind each.
  package func mixColumns(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, taps: UnsafeBufferPointer<ColumnTap<Float>>,
    channels: Int, into output: UnsafeMutablePointer<UInt8>
  ) {
    guard let start = taps.baseAddress else { return }
    mixByteColumns(first, second, start, taps.count, channels, output)
  }
}

/// How bytes are mixed in fixed point: what weights are counted in, and how sums are rounded.
package struct ByteMixing: Sendable, Hashable {
  /// One is 2 to this power.
  package var fractionBits: Int32
  /// Whether halves go up, or away from zero.
  package var roundsHalvesUp: Bool

  /// As the reference kernels: weights from -1024 to 2048.
  package static let reference = ByteMixing(fractionBits: 10, roundsHalvesUp: false)
  /// As XNNPACK.
  package static let fast = ByteMixing(fractionBits: 11, roundsHalvesUp: true)

  package var one: Int32 { 1 << fractionBits }
}

extension ResizeKernels {
  init(_ set: swiftlet_kernel_set) {
    self.init(
      mixFloatRows: set.mix_rows_f32, mixFloatColumns: set.mix_columns_f32, mixInt8Rows: set.mix_rows_s8,
      mixInt8Columns: set.mix_columns_s8, scaleByteRow: set.scale_row_u8, mixByteColumns: set.mix_columns_u8)
  }
}
