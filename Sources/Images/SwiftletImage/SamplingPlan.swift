import SwiftletKernels

/// The positions in the image of the tensor's pixels.
///
/// If the rotation of the region is a multiple of 90°, two tables suffice: every tensor column has one position on one
/// axis of the image, and every tensor row has one position on the other axis. Otherwise, positions are computed per
/// pixel.
struct SamplingPlan: Sendable {
  let tensorWidth: Int
  let tensorHeight: Int
  private(set) var columns: [PixelTap]
  private(set) var rows: [PixelTap]
  /// Whether the tables are valid; otherwise, `path` must be evaluated for every pixel.
  private(set) var isSeparable = false
  private(set) var path: WarpPath
  private(set) var source = SourceGeometry()
  /// The largest offset in `columns`.
  private(set) var farthestColumnOffset = 0

  init(tensorWidth: Int, tensorHeight: Int) {
    self.tensorWidth = tensorWidth
    self.tensorHeight = tensorHeight
    columns = [PixelTap](repeating: PixelTap(), count: tensorWidth)
    rows = [PixelTap](repeating: PixelTap(), count: tensorHeight)
    path = WarpPath(.identity, tensorWidth: tensorWidth, tensorHeight: tensorHeight)
  }

  mutating func update(
    region: PixelRegion, layout: PixelLayout, mirrorsSource: Bool, border: ImageToTensor.Border
  ) throws(ImageError) {
    let matrix = try WarpMatrix(region: region, tensorWidth: tensorWidth, tensorHeight: tensorHeight)
    path = WarpPath(matrix, tensorWidth: tensorWidth, tensorHeight: tensorHeight)
    source = SourceGeometry(layout, mirrored: mirrorsSource, border: border)
    isSeparable = fillTables(SettledPositions(matrix, path, tensorWidth: tensorWidth, tensorHeight: tensorHeight))
    farthestColumnOffset = columns.reduce(Int.min) { max($0, $1.offset0, $1.offset1) }
  }

  /// Computes both tables. Returns false if they can't be exact.
  private mutating func fillTables(_ positions: SettledPositions) -> Bool {
    if positions.horizontalDependsOnlyOnColumn {
      for column in 0..<tensorWidth {
        guard let position = positions.settledHorizontal(column: column, row: 0) else { return false }
        columns[column] = source.horizontalTap(position)
      }
      for row in 0..<tensorHeight {
        guard let position = positions.settledVertical(column: 0, row: row) else { return false }
        rows[row] = source.verticalTap(position)
      }
      return true
    }
    if positions.horizontalDependsOnlyOnRow {
      for column in 0..<tensorWidth {
        guard let position = positions.settledVertical(column: column, row: 0) else { return false }
        columns[column] = source.verticalTap(position)
      }
      for row in 0..<tensorHeight {
        guard let position = positions.settledHorizontal(column: 0, row: row) else { return false }
        rows[row] = source.horizontalTap(position)
      }
      return true
    }
    return false
  }
}

extension WarpPath {
  init(_ matrix: WarpMatrix, tensorWidth: Int, tensorHeight: Int) {
    let rows = (
      (matrix.m00, matrix.m01, matrix.m02), (matrix.m10, matrix.m11, matrix.m12), (matrix.m20, matrix.m21, matrix.m22)
    )
    self.init(rows, tensorWidth: tensorWidth, tensorHeight: tensorHeight)
  }
}

extension SourceGeometry {
  init(_ layout: PixelLayout, mirrored: Bool, border: ImageToTensor.Border) {
    self.init()
    let step = layout.pixelFormat.bytesPerPixel
    width = layout.width
    height = layout.height
    origin = mirrored ? (layout.width - 1) * step : 0
    columnStride = mirrored ? -step : step
    rowStride = layout.bytesPerRow
    hasZeroBorder = border == .zero
  }
}
