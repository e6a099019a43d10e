import SwiftletImage

/// The map from the pixels of an image to the mask of a region.
///
/// A pixel gets the interpolated mask value at its position, or 0 outside the mask. As in MediaPipe, positions have no
/// half-pixel shift and are rounded to 1/32 of a cell.
///
/// - Source: the mask projection of MediaPipe's pose tasks.
struct RegionMaskWarp {
  /// The number of steps between two cells of the mask.
  private static let steps: Float = 32
  /// A constant whose sum with a small number has the nearest integer in its lowest bits.
  private static let rounding: Float = 12_582_912

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
    let line = Line(
      start: start + perColumn * Double(inside.lowerBound), step: perColumn, maskWidth: maskWidth,
      maskHeight: maskHeight)
    // Rounding is monotonic. If both ends of the span are inside, so are all pixels between them: their cells lie in
    // the padded mask.
    var (first, last) = (0, inside.count)
    while first < last, !line.isInside(first) {
      target[inside.lowerBound + first] = 0
      first += 1
    }
    while first < last, !line.isInside(last - 1) {
      last -= 1
      target[inside.lowerBound + last] = 0
    }
    let pixels = target + inside.lowerBound
    while first + 4 <= last {
      let four = line.values(Float(first) + SIMD4(0, 1, 2, 3), columns)
      UnsafeMutableRawPointer(pixels + first).storeBytes(of: four, as: SIMD4<Float>.self)
      first += 4
    }
    for pixel in first..<last { pixels[pixel] = line.values(SIMD4(repeating: Float(pixel)), columns)[0] }
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

  /// The part of a row that lies in the mask.
  private struct Line {
    private let x: Float
    private let y: Float
    private let stepX: Float
    private let stepY: Float
    private let maskWidth: Int32
    private let maskHeight: Int32
    private let stride: Int32

    /// Creates a line. The sizes must be small enough for 32-bit cell indices; see `RegionMaskCells.maximumCells`.
    init(start: SIMD2<Double>, step: SIMD2<Double>, maskWidth: Int, maskHeight: Int) {
      (x, y, stepX, stepY) = (Float(start.x), Float(start.y), Float(step.x), Float(step.y))
      (self.maskWidth, self.maskHeight) = (Int32(maskWidth), Int32(maskHeight))
      stride = Int32(maskWidth + 2)
    }

    /// Returns the positions of four pixels, in steps.
    @inline(__always)
    private func places(_ pixels: SIMD4<Float>) -> (x: SIMD4<Int32>, y: SIMD4<Int32>) {
      (Self.rounded(x + stepX * pixels), Self.rounded(y + stepY * pixels))
    }

    @inline(__always)
    private static func rounded(_ values: SIMD4<Float>) -> SIMD4<Int32> {
      unsafeBitCast(values + rounding, to: SIMD4<Int32>.self) &- Int32(bitPattern: rounding.bitPattern)
    }

    /// Converts small integers to floats; the standard library converts them one by one.
    @inline(__always)
    private static func floats(_ values: SIMD4<Int32>) -> SIMD4<Float> {
      unsafeBitCast(values &+ Int32(bitPattern: rounding.bitPattern), to: SIMD4<Float>.self) - rounding
    }

    /// Returns whether a pixel's cell lies in the padded mask.
    func isInside(_ index: Int) -> Bool {
      let (x, y) = places(SIMD4(repeating: Float(index)))
      return x[0] >= -32 && y[0] >= -32 && x[0] < 32 &* maskWidth && y[0] < 32 &* maskHeight
    }

    /// Returns the values of four pixels, given by index, that are inside.
    @inline(__always)
    func values(_ pixels: SIMD4<Float>, _ columns: UnsafePointer<RegionMaskCells.Column>) -> SIMD4<Float> {
      let (x, y) = places(pixels)
      // Cell indices include the padding.
      let cells = ((y &>> 5) &+ 1) &* stride &+ (x &>> 5) &+ 1
      let (right, down) = (Self.floats(x & 31) * (1 / 32), Self.floats(y & 31) * (1 / 32))
      @inline(__always) func corners(_ pixel: Int) -> SIMD4<Float> {
        UnsafeRawPointer(columns + Int(cells[pixel])).loadUnaligned(as: SIMD4<Float>.self)
      }
      let (p, q, r, s) = (corners(0), corners(1), corners(2), corners(3))
      // The upper left and lower left element, then the upper right and lower right one, of each pixel.
      let (a, c) = (SIMD4(p.x, q.x, r.x, s.x), SIMD4(p.y, q.y, r.y, s.y))
      let (b, d) = (SIMD4(p.z, q.z, r.z, s.z), SIMD4(p.w, q.w, r.w, s.w))
      let (above, below) = (a + (b - a) * right, c + (d - c) * right)
      return above + (below - above) * down
    }
  }
}
