/// Where the pixels of the tensor lie in the picture.
///
/// When the region is turned by a multiple of 90° every column of the tensor has one position along one axis of the
/// picture, and every row one along the other: two tables. Otherwise positions are computed pixel by pixel.
struct SamplingPlan: Sendable {
  /// Two neighbouring pixels along one axis of the picture, and how much of each to take, in 1/32.
  struct Tap: Sendable, Hashable {
    /// Distance in bytes from the first pixel of the picture. Clamped to the picture.
    var offset0 = 0
    var offset1 = 0
    /// The weight in each of four lanes; 0 where the pixel lies outside of the picture and the border is black.
    var lanes0: UInt64 = 0
    var lanes1: UInt64 = 0

    var weight0: Int32 {
      @inline(__always) get { Int32(truncatingIfNeeded: lanes0 & 0xFFFF) }
    }
    var weight1: Int32 {
      @inline(__always) get { Int32(truncatingIfNeeded: lanes1 & 0xFFFF) }
    }
  }

  let tensorWidth: Int
  let tensorHeight: Int
  private(set) var columns: [Tap]
  private(set) var rows: [Tap]
  /// Whether the tables hold; otherwise `matrix` must be evaluated for every pixel.
  private(set) var isSeparable = false
  private(set) var matrix = WarpMatrix.identity
  private(set) var source = SourceGeometry()
  /// The largest offset in `columns`.
  private(set) var farthestColumnOffset = 0

  init(tensorWidth: Int, tensorHeight: Int) {
    self.tensorWidth = tensorWidth
    self.tensorHeight = tensorHeight
    columns = [Tap](repeating: Tap(), count: tensorWidth)
    rows = [Tap](repeating: Tap(), count: tensorHeight)
  }

  mutating func update(
    region: PixelRegion, layout: PixelLayout, mirrorsSource: Bool, border: ImageToTensor.Border
  ) throws(ImageError) {
    matrix = try WarpMatrix(region: region, tensorWidth: tensorWidth, tensorHeight: tensorHeight)
    source = SourceGeometry(layout, mirrored: mirrorsSource, border: border)
    isSeparable = fillTables()
    farthestColumnOffset = columns.reduce(Int.min) { max($0, $1.offset0, $1.offset1) }
  }

  /// Computes both tables, or finds that they cannot be exact.
  private mutating func fillTables() -> Bool {
    let path = WarpPath(matrix, tensorWidth: tensorWidth, tensorHeight: tensorHeight)
    if path.horizontalDependsOnlyOnColumn {
      for column in 0..<tensorWidth {
        guard let position = path.settledHorizontal(column: column, row: 0) else { return false }
        columns[column] = source.horizontalTap(position)
      }
      for row in 0..<tensorHeight {
        guard let position = path.settledVertical(column: 0, row: row) else { return false }
        rows[row] = source.verticalTap(position)
      }
      return true
    }
    if path.horizontalDependsOnlyOnRow {
      for column in 0..<tensorWidth {
        guard let position = path.settledVertical(column: column, row: 0) else { return false }
        columns[column] = source.verticalTap(position)
      }
      for row in 0..<tensorHeight {
        guard let position = path.settledHorizontal(column: 0, row: row) else { return false }
        rows[row] = source.horizontalTap(position)
      }
      return true
    }
    return false
  }
}

/// How the pixels of the picture are reached, and what lies beyond its edge.
struct SourceGeometry: Sendable, Hashable {
  var width = 1
  var height = 1
  /// From the first byte of the picture to its leftmost pixel in the top row; the rightmost one if it is mirrored.
  var origin = 0
  /// Bytes from one pixel to the next to the right; negative if the picture is read as its mirror image.
  var columnStride = 1
  var rowStride = 1
  var zeroBorder = false

  init() {}

  init(_ layout: PixelLayout, mirrored: Bool, border: ImageToTensor.Border) {
    let step = layout.pixelFormat.bytesPerPixel
    width = layout.width
    height = layout.height
    origin = mirrored ? (layout.width - 1) * step : 0
    columnStride = mirrored ? -step : step
    rowStride = layout.bytesPerRow
    zeroBorder = border == .zero
  }

  /// - Parameter position: in 1/32 pixel.
  func horizontalTap(_ position: Int32) -> SamplingPlan.Tap {
    tap(position, count: width, stride: columnStride)
  }

  func verticalTap(_ position: Int32) -> SamplingPlan.Tap {
    tap(position, count: height, stride: rowStride)
  }

  @inline(__always)
  private func tap(_ position: Int32, count: Int, stride: Int) -> SamplingPlan.Tap {
    let first = Int(position >> 5)
    let fraction = position & 31
    let last = count - 1
    var tap = SamplingPlan.Tap(
      offset0: min(max(first, 0), last) * stride, offset1: min(max(first + 1, 0), last) * stride,
      lanes0: PixelPair.lanes(32 - fraction), lanes1: PixelPair.lanes(fraction))
    if zeroBorder {
      if first < 0 || first > last { tap.lanes0 = 0 }
      if first + 1 < 0 || first + 1 > last { tap.lanes1 = 0 }
    }
    return tap
  }
}
