import SwiftletImage
import SwiftletKernels

/// The map from the pixels of an image to the mask of a region.
///
/// A pixel gets the interpolated mask value at its position, or 0 outside the mask. As in MediaPipe, positions have no
/// half-pixel shift and are rounded to 1/32 of a cell.
///
/// - Source: the mask projection of MediaPipe's pose tasks.
struct RegionMaskWarp {
  /// The number of steps between two cells of the mask.
  private static let steps: Float = 32

  private let maskWidth: Int
  private let maskHeight: Int
  private let width: Int
  /// The x and y steps in the mask per pixel to the right. The next two are the steps per pixel down, and the origin.
  private let perColumn: SIMD2<Double>
  private let perRow: SIMD2<Double>
  private let origin: SIMD2<Double>
  private let isUsable: Bool

  /// Creates a map.
  ///
  /// - Parameter projection: The map from the region, 0…1, to the image.
  init(_ sizes: RegionMaskMaker.Sizes, _ projection: ImageProjection) {
    (maskWidth, maskHeight, width) = (sizes.maskWidth, sizes.maskHeight, sizes.width)
    let (xx, xy, x0) = (Double(projection.xx), Double(projection.xy), Double(projection.x0))
    let (yx, yy, y0) = (Double(projection.yx), Double(projection.yy), Double(projection.y0))
    let scale = Double(Self.steps) * SIMD2(Double(maskWidth), Double(maskHeight)) / (xx * yy - xy * yx)
    perColumn = scale * SIMD2(yy, -yx) / Double(sizes.width)
    perRow = scale * SIMD2(-xy, xx) / Double(sizes.height)
    origin = scale * SIMD2(xy * y0 - yy * x0, yx * x0 - xx * y0)
    isUsable = Self.isUsable(perColumn) && Self.isUsable(perRow) && Self.isUsable(origin)
  }

  private static func isUsable(_ way: SIMD2<Double>) -> Bool { way.x.magnitude < 1e12 && way.y.magnitude < 1e12 }

  /// Writes a row of the image's mask.
  ///
  /// - Parameters:
  ///   - columns: The cells of the mask.
  ///   - target: `width` elements.
  func fill(row: Int, from columns: UnsafePointer<RegionMaskCells.Column>, into target: UnsafeMutablePointer<Float>) {
    let start = origin + perRow * Double(row)
    let inside = isUsable ? span(from: start) : 0..<0
    target.update(repeating: 0, count: inside.lowerBound)
    (target + inside.upperBound).update(repeating: 0, count: width - inside.upperBound)
    var line = MaskLine(
      start: start + perColumn * Double(inside.lowerBound), step: perColumn, maskWidth: maskWidth,
      maskHeight: maskHeight)
    // The kernel's positions are rounded, so pixels at both ends may turn out to be outside.
    KernelTable.current.images.maskRow(
      &line, cells: columns, count: inside.count, into: target + inside.lowerBound)
  }

  /// Returns the pixels of a row that lie in the mask or less than one cell outside it.
  private func span(from start: SIMD2<Double>) -> Range<Int> {
    var (low, high) = (0.0, Double(width))
    for axis in 0..<2 {
      let least = -Double(Self.steps)
      let most = Double(Self.steps) * Double(axis == 0 ? maskWidth : maskHeight) - 0.5
      let step = perColumn[axis]
      guard step.magnitude > 1e-9 else {
        if start[axis] < least || start[axis] > most { return 0..<0 }
        continue
      }
      let ends = [(least - start[axis]) / step, (most - start[axis]) / step]
      low = max(low, min(ends[0], ends[1]).rounded(.up))
      high = min(high, max(ends[0], ends[1]).rounded(.down) + 1)
    }
    return low < high ? Int(low)..<Int(high) : 0..<0
  }
}
