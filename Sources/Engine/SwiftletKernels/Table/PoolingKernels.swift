internal import SwiftletKernelSets

/// Pooling of one NHWC image over windows. Elements outside the image are ignored.
///
/// - Types: float32, int8, uint8, or int16. The output has the input's type.
/// - Thread safety: callable concurrently on disjoint rows, without effect on the results.
package struct PoolingKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  package enum Kind: Int32, Sendable {
    /// The maximum. NaN elements are ignored.
    case maximum = 0
    /// The sum, divided by the number of elements inside the image. For integers, the result is exact, rounded half away
    /// from zero.
    case average = 1
  }

  /// The type of the elements.
  package enum Integer: Int32, Sendable {
    case uint8 = 0
    case int8 = 1
    case int16 = 2

    var bytes: Int { self == .int16 ? 2 : 1 }

    /// The maximum number of elements inside a window for an average of integers, of which at most 256 are in a column.
    package var maximumElements: Int { self == .int16 ? 32767 : 8192 }
  }

  /// The number of input bytes whose partial results a kernel keeps. They take up to twice as many bytes in the L1 cache.
  private static let blockBytes = 12288

  /// Returns the number of output pixels in a row whose windows are reduced together.
  private static func blockColumns(_ g: DepthwiseGeometry, _ type: Integer) -> Int {
    let columns = blockBytes / max(1, g.channels * type.bytes)
    return min(max(1, (columns - g.kernelWidth) / g.columnStride + 1), g.outputWidth)
  }

  /// Returns the size of the scratch memory for `pool`.
  package static func scratchBytes(_ geometry: DepthwiseGeometry, _ type: Integer?) -> Int {
    guard let type else {
      // Two vectors, a vector of zeros, and an address and a mask for each tap of the groups of nine.
      let groups = min((geometry.kernelHeight * geometry.kernelWidth + 8) / 9, DepthwiseGeometry.locatedGroups)
      return DepthwiseGeometry.poolingSlack + 64 + groups * 9 * 16
    }
    let columns = geometry.pooledColumns(blockColumns(geometry, type))
    return 2 * columns * geometry.channels * type.bytes + 3 * DepthwiseGeometry.poolingSlack
  }

  /// Computes an output row of the maxima of a float32 image, with their positions in their windows.
  ///
  /// A position is `row × kernelWidth + column + 0.1`. The first of equal elements is used; a window without a number has
  /// the lowest finite number at position 0.1.
  ///
  /// - Parameters:
  ///   - geometry: The geometry, without dilation. `tapStride` is unused.
  ///   - input: The first pixel of the image.
  ///   - maxima, positions: The first pixel of the output row.
  package func poolWithPositions(
    _ geometry: DepthwiseGeometry, row: Int, input: UnsafePointer<Float>, maxima: UnsafeMutablePointer<Float>,
    positions: UnsafeMutablePointer<Float>, lower: Float, upper: Float
  ) {
    withUnsafePointer(to: geometry) {
      set.call.pool_argmax_f32($0, row, input, maxima, positions, lower, upper)
    }
  }

  /// Writes the elements of a row to their positions in the image that was pooled.
  ///
  /// Positions outside the image are ignored. If two elements have the same position, the later one is kept.
  ///
  /// - Parameters:
  ///   - geometry: The geometry of the pooling; see ``poolWithPositions(_:row:input:maxima:positions:lower:upper:)``.
  ///   - values, positions: The first pixel of the row.
  ///   - image: The first pixel of the image.
  package func unpool(
    _ geometry: DepthwiseGeometry, row: Int, values: UnsafePointer<Float>, positions: UnsafePointer<Float>,
    into image: UnsafeMutablePointer<Float>
  ) {
    withUnsafePointer(to: geometry) { set.call.unpool_f32($0, row, values, positions, image) }
  }

  /// Computes output rows `rows` of a float32 image.
  ///
  /// - Parameters:
  ///   - geometry: The geometry, as for a depthwise convolution. `tapStride` is unused.
  ///   - input, output: The first pixels of the images, which must not overlap.
  ///   - scratch: `scratchBytes` bytes.
  package func pool(
    _ kind: Kind, _ geometry: DepthwiseGeometry, rows: Range<Int>, input: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, scratch: UnsafeMutableRawPointer, lower: Float, upper: Float
  ) {
    withUnsafePointer(to: geometry) {
      set.call.pool_f32(kind.rawValue, $0, rows.lowerBound, rows.upperBound, input, output, scratch, lower, upper)
    }
  }

  /// Computes output rows `rows` of an image of integers, whose pixels must be contiguous. There is no dilation.
  ///
  /// - Parameters:
  ///   - lower, upper: The bounds of results, in the range of `type`.
  ///   - scratch: `scratchBytes` bytes.
  package func pool(
    _ kind: Kind, _ geometry: DepthwiseGeometry, rows: Range<Int>, type: Integer, input: UnsafeRawPointer,
    output: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer, lower: Int32, upper: Int32
  ) {
    let blockColumns = Self.blockColumns(geometry, type)
    withUnsafePointer(to: geometry) {
      set.call.pool_integers(
        kind.rawValue, type.rawValue, $0, rows.lowerBound, rows.upperBound, input, output, scratch, blockColumns,
        Int(lower), Int(upper))
    }
  }
}
