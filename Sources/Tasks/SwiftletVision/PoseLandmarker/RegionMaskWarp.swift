import SwiftletImage

/// The way from the pixels of a picture to a mask of a region in it.
///
/// A pixel takes what the mask has at its place, interpolated, and 0 outside. Places have no half-pixel shift and are
/// rounded to 1/32 of a cell, as in MediaPipe.
///
/// - Source: the mask projection of MediaPipe's pose tasks.
struct RegionMaskWarp {
  /// Steps between two cells of the mask.
  private static let steps: Float = 32
  /// Adding this to a small number leaves its nearest whole number in the lowest bits.
  private static let rounding: Float = 12_582_912

  private let maskWidth: Int
  private let maskHeight: Int
  private let width: Int
  /// Steps in the mask for a pixel of the picture to the right, for one down, and at the origin: x and y.
  private let perColumn: SIMD2<Double>
  private let perRow: SIMD2<Double>
  private let origin: SIMD2<Double>
  private let isUsable: Bool

  /// - Parameter projection: from the region, 0…1, to the picture.
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

  /// Writes a row of the picture's mask.
  ///
  /// - Parameters:
  ///   - columns: the cells of the mask.
  ///   - target: `width` numbers.
  func fill(row: Int, from columns: UnsafePointer<RegionMaskCells.Column>, into target: UnsafeMutablePointer<Float>) {
    let start = origin + perRow * Double(row)
    let inside = isUsable ? span(from: start) : 0..<0
    target.update(repeating: 0, count: inside.lowerBound)
    (target + inside.upperBound).update(repeating: 0, count: width - inside.upperBound)
    let line = Line(
      start: start + perColumn * Double(inside.lowerBound), step: perColumn, maskWidth: maskWidth,
      maskHeight: maskHeight)
    // Rounding keeps the order of numbers. So what holds for both ends of the span holds for all pixels between them:
    // the cells lie in the mask with its border.
    var (first, last) = (0, inside.count)
    while first < last, !line.isInside(first) {
      target[inside.lowerBound + first] = 0
      first += 1
    }
    while first < last, !line.isInside(last - 1) {
      last -= 1
      target[inside.lowerBound + last] = 0
    }
    for pixel in first..<last {
      target[inside.lowerBound + pixel] = line.value(pixel, columns)
    }
  }

  /// The pixels of a row that lie in the mask or less than a cell beside it.
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

  /// The part of a row that lies in the mask.
  private struct Line {
    let x: Float
    let y: Float
    let stepX: Float
    let stepY: Float
    let maskWidth: Int
    let maskHeight: Int
    let stride: Int

    init(start: SIMD2<Double>, step: SIMD2<Double>, maskWidth: Int, maskHeight: Int) {
      (x, y, stepX, stepY) = (Float(start.x), Float(start.y), Float(step.x), Float(step.y))
      (self.maskWidth, self.maskHeight, stride) = (maskWidth, maskHeight, maskWidth + 2)
    }

    /// Where pixel `index` lies, in steps.
    @inline(__always)
    private func place(_ index: Int) -> (x: Int, y: Int) {
      let offset = Float(index)
      return (Self.rounded(x + stepX * offset), Self.rounded(y + stepY * offset))
    }

    @inline(__always)
    private static func rounded(_ value: Float) -> Int {
      Int(Int32(bitPattern: (value + rounding).bitPattern)) &- Int(Int32(bitPattern: rounding.bitPattern))
    }

    /// Whether a pixel's cell lies in the mask with its border.
    func isInside(_ index: Int) -> Bool {
      let place = place(index)
      return place.x >= -32 && place.y >= -32 && place.x < 32 * maskWidth && place.y < 32 * maskHeight
    }

    /// - Parameter index: of a pixel that is inside.
    @inline(__always)
    func value(_ index: Int, _ columns: UnsafePointer<RegionMaskCells.Column>) -> Float {
      let place = place(index)
      // Cells are counted from the border.
      let cell = columns + (((place.y >> 5) &+ 1) &* stride &+ (place.x >> 5) &+ 1)
      let (right, down) = (Float(place.x & 31) * (1 / 32), Float(place.y & 31) * (1 / 32))
      let column = cell[0] + (cell[1] - cell[0]) * right
      return column.x + (column.y - column.x) * down
    }
  }
}
