internal import SwiftletKernelSets

/// Resampling of images and masks, compiled ahead of time so that it is fast in debug builds too.
///
/// - Types: Images of bytes, with 1, 3, or 4 channels.
/// - Numerics: The same in every variant.
/// - Thread safety: callable concurrently on disjoint outputs.
package struct ImageKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  /// Samples the bytes of a tensor row, ``SampledRow/sampledBytes`` per pixel.
  ///
  /// - Parameters:
  ///   - row: The row. Its taps, or the clamped positions of its path, must lie in the image, and those that it declares
  ///     as paired must be followed by a readable byte.
  ///   - image: The first pixel in memory.
  package func sampleRow(
    _ row: inout SampledRow, of image: UnsafeRawPointer, into bytes: UnsafeMutableRawPointer
  ) {
    set.call.image_sample_row(&row, image, bytes)
  }

  /// Looks up the tensor elements of sampled bytes.
  ///
  /// - Parameters:
  ///   - bytes: `sampledBytes` bytes for each of `width` pixels, at the end of the memory of `output` if they share it.
  ///   - table: 256 elements for each of 1, 3, or 4 channels.
  package func expandRow(
    _ bytes: UnsafeRawPointer, sampledBytes: Int, channels: Int, width: Int, _ table: UnsafePointer<UInt8>,
    into output: UnsafeMutablePointer<UInt8>
  ) {
    set.call.image_expand_row_8(bytes, sampledBytes, channels, width, table, output)
  }

  /// Looks up the tensor elements of sampled bytes, as for bytes.
  package func expandRow(
    _ bytes: UnsafeRawPointer, sampledBytes: Int, channels: Int, width: Int, _ table: UnsafePointer<Float>,
    into output: UnsafeMutablePointer<Float>
  ) {
    set.call.image_expand_row_f32(bytes, sampledBytes, channels, width, table, output)
  }

  /// Interpolates a mask along a line. Pixels at either end may be outside the padded mask and become 0.
  ///
  /// - Parameter cells: The padded cells; see ``MaskLine``.
  package func maskRow(
    _ line: inout MaskLine, cells: UnsafePointer<SIMD2<Float>>, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    set.call.image_mask_row(&line, cells, count, output)
  }

  /// Averages the columns of a row of pixels of `pixelBytes` bytes.
  ///
  /// - Parameters:
  ///   - shares: The shares by target. Each target that has none keeps its average.
  ///   - line: The averages, channel by channel.
  package func averageColumns(
    _ shares: UnsafeBufferPointer<AreaShare>, pixelBytes: Int, row: UnsafeRawPointer,
    into line: UnsafeMutablePointer<Float>
  ) {
    guard let first = shares.baseAddress else { return }
    set.call.image_average_columns(first, shares.count, pixelBytes, row, line)
  }

  /// Computes `sums[i] += line[i] * share`.
  package func addShare(
    of line: UnsafePointer<Float>, _ share: Float, count: Int, to sums: UnsafeMutablePointer<Float>
  ) {
    set.call.image_add_share(line, share, count, sums)
  }

  /// Rounds nonnegative sums to the nearest bytes, ties to even.
  package func roundSums(_ sums: UnsafePointer<Float>, count: Int, into bytes: UnsafeMutablePointer<UInt8>) {
    set.call.image_round_sums(sums, count, bytes)
  }

  /// Averages `count` adjacent blocks of `across` × `down` pixels to one pixel each.
  package func averageBlocks(
    _ source: UnsafeRawPointer, bytesPerRow: Int, pixelBytes: Int, across: Int, down: Int, count: Int,
    into bytes: UnsafeMutablePointer<UInt8>
  ) {
    set.call.image_average_blocks(source, bytesPerRow, pixelBytes, across, down, count, bytes)
  }

  /// Determines the category of each pixel: the channel with the highest score, or the first of equal ones.
  ///
  /// - Parameter threshold: The score above which the only channel is the foreground.
  package func categories(
    of scores: UnsafePointer<Float>, count: Int, channels: Int, threshold: Float,
    into categories: UnsafeMutablePointer<UInt16>
  ) {
    set.call.image_categories(scores, count, channels, threshold, categories)
  }

  /// Determines the categories of a row of a mask, as for single pixels, after interpolating the scores.
  package func fillCategories(_ row: inout CategoryRow, into target: UnsafeMutablePointer<UInt8>) {
    set.call.image_fill_categories(&row, target)
  }

  /// Converts pixels to another format. Color becomes luma, and a new alpha channel is opaque.
  package func convertPixels(
    _ conversion: inout PixelConversion, count: Int, _ source: UnsafePointer<UInt8>,
    into target: UnsafeMutablePointer<UInt8>
  ) {
    set.call.image_convert_pixels(&conversion, count, source, target)
  }

  /// Converts a row of luma and chroma to red, green, and blue.
  ///
  /// - Parameter chroma: A pair for every two columns; an odd last column has its own.
  package func convertChroma(
    _ conversion: inout ChromaConversion, count: Int, luma: UnsafePointer<UInt8>, chroma: UnsafePointer<UInt8>,
    into target: UnsafeMutablePointer<UInt8>
  ) {
    set.call.image_convert_chroma(&conversion, count, luma, chroma, target)
  }

  /// Copies `count` pixels that are `stride` bytes apart, which may be negative.
  package func movePixels(
    _ source: UnsafePointer<UInt8>, stride: Int, count: Int, pixelBytes: Int, into target: UnsafeMutablePointer<UInt8>
  ) {
    set.call.image_move_pixels(source, stride, count, pixelBytes, target)
  }

  /// Interpolates between pixels of a line, channel by channel, in units of 1/2048.
  package func mixPixels(
    _ line: UnsafePointer<UInt8>, _ taps: UnsafeBufferPointer<FixedPointTap>, pixelBytes: Int,
    into sums: UnsafeMutablePointer<Int32>
  ) {
    guard let first = taps.baseAddress else { return }
    set.call.image_mix_pixels(line, first, taps.count, pixelBytes, sums)
  }

  /// Interpolates between two lines of sums of ``mixPixels(_:_:pixelBytes:into:)``, with weights in units of 1/2048.
  package func mixLines(
    _ upper: UnsafePointer<Int32>, _ lower: UnsafePointer<Int32>, _ upperWeight: Int32, _ lowerWeight: Int32,
    count: Int, into target: UnsafeMutablePointer<UInt8>
  ) {
    set.call.image_mix_lines(upper, lower, upperWeight, lowerWeight, count, target)
  }
}
