/// A row of an image tensor, and where its pixels are in the image.
///
/// Kernels receive a pointer to it.
package struct SampledRow {
  package var source: SourceGeometry
  package var path: WarpPath
  /// The row of the tensor, counted from the top.
  package var row = 0
  /// The tap of each column of the tensor, or `nil` to compute every position from ``path``.
  package var columns: UnsafePointer<PixelTap>?
  /// The tap of the row, if there are taps of columns.
  package var vertical = PixelTap()
  /// The number of leading columns that may be sampled in pairs: as many as 4 bytes may be written for.
  package var pairedColumns = 0
  /// The number of leading rows of the image whose pixels 4 bytes may be read from, together with those of the row
  /// below.
  package var pairedRows = 0
  /// The number of bytes to write per pixel: 1, 3, or 4.
  package var sampledBytes: Int
  /// Whether a single byte is the luma of a color.
  package var isLuma: Bool
  /// The positions of the channels in a pixel of the image.
  package var red: Int
  package var green: Int
  package var blue: Int

  package init(
    source: SourceGeometry, path: WarpPath, sampledBytes: Int, isLuma: Bool, red: Int, green: Int, blue: Int
  ) {
    (self.source, self.path) = (source, path)
    (self.sampledBytes, self.isLuma) = (sampledBytes, isLuma)
    (self.red, self.green, self.blue) = (red, green, blue)
  }
}

/// Two adjacent pixels along one axis of the image, with their weights in units of 1/32.
package struct PixelTap: Sendable, Hashable {
  /// The byte offset from the first pixel of the image, clamped to the image.
  package var offset0 = 0
  package var offset1 = 0
  /// The weight in each of four 16-bit lanes; 0 if the pixel is outside the image and the border is black.
  package var lanes0: UInt64 = 0
  package var lanes1: UInt64 = 0

  package init() {}

  package var weight0: Int32 {
    @inline(__always) get { Int32(truncatingIfNeeded: lanes0 & 0xFFFF) }
  }
  package var weight1: Int32 {
    @inline(__always) get { Int32(truncatingIfNeeded: lanes1 & 0xFFFF) }
  }
}

/// The addressing of the image's pixels, and the values outside the image.
package struct SourceGeometry: Sendable, Hashable {
  package var width = 1
  package var height = 1
  /// The byte offset of the leftmost pixel in the top row, or of the rightmost pixel if the image is mirrored.
  package var origin = 0
  /// The byte offset to the next pixel on the right; negative if the image is mirrored.
  package var columnStride = 1
  package var rowStride = 1
  /// Whether pixels outside the image are black. Otherwise, they equal the nearest pixel.
  package var hasZeroBorder = false

  package init() {}

  /// Returns the tap of a horizontal position.
  ///
  /// - Parameter position: The position in units of 1/32 pixel.
  @inline(__always)
  package func horizontalTap(_ position: Int32) -> PixelTap {
    tap(position, count: width, stride: columnStride)
  }

  @inline(__always)
  package func verticalTap(_ position: Int32) -> PixelTap {
    tap(position, count: height, stride: rowStride)
  }

  @inline(__always)
  private func tap(_ position: Int32, count: Int, stride: Int) -> PixelTap {
    let first = Int(position >> 5)
    let fraction = position & 31
    let last = count &- 1
    // Clamped indices are less than 2³¹, and images have fewer than 2³² bytes per pixel and row, so nothing overflows.
    var tap = PixelTap()
    tap.offset0 = min(max(first, 0), last) &* stride
    tap.offset1 = min(max(first &+ 1, 0), last) &* stride
    if !hasZeroBorder || (first >= 0 && first <= last) { tap.lanes0 = Self.lanes(32 &- fraction) }
    if !hasZeroBorder || (first >= -1 && first < last) { tap.lanes1 = Self.lanes(fraction) }
    return tap
  }

  /// Returns a weight of at most 32 in the four lanes of one pixel.
  @inline(__always)
  private static func lanes(_ weight: Int32) -> UInt64 {
    UInt64(truncatingIfNeeded: weight) &* 0x0001_0001_0001_0001
  }
}
