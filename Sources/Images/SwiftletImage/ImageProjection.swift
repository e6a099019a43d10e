/// An affine map between two normalized coordinate systems, for example from a model input to the image that it was
/// cropped from.
///
/// The map is `x' = xx·x + xy·y + x0` and `y' = yx·x + yy·y + y0`. If a model predicts depth, the depth is multiplied
/// by `zScale`.
public struct ImageProjection: Sendable, Hashable {
  /// The coefficient of `x` in `x'`.
  public var xx: Float
  /// The coefficient of `y` in `x'`.
  public var xy: Float
  /// The value of `x'` at the origin.
  public var x0: Float
  /// The coefficient of `x` in `y'`.
  public var yx: Float
  /// The coefficient of `y` in `y'`.
  public var yy: Float
  /// The value of `y'` at the origin.
  public var y0: Float
  /// The scale of the depth.
  public var zScale: Float

  /// Creates a map with the given coefficients.
  public init(xx: Float, xy: Float, x0: Float, yx: Float, yy: Float, y0: Float, zScale: Float = 1) {
    self.xx = xx
    self.xy = xy
    self.x0 = x0
    self.yx = yx
    self.yy = yy
    self.y0 = y0
    self.zScale = zScale
  }

  /// The identity map.
  public static let identity = ImageProjection(xx: 1, xy: 0, x0: 0, yx: 0, yy: 1, y0: 0)

  /// Creates the map from the unit square to `region` of an image, as MediaPipe computes it, in single precision.
  init(region: PixelRegion, imageWidth: Int, imageHeight: Int, flipsHorizontally: Bool) {
    let width = region.width
    let height = region.height
    let flip: Float = flipsHorizontally ? -1 : 1
    let cosine = RoundedFunctions.cosine(region.rotation)
    let sine = RoundedFunctions.sine(region.rotation)
    let perColumn = 1 / Float(imageWidth)
    let perRow = 1 / Float(imageHeight)
    // Keep the order of operations: the results must match MediaPipe's bit for bit.
    xx = width * cosine * flip * perColumn
    xy = -height * sine * perColumn
    x0 = (-0.5 * width * cosine * flip + 0.5 * height * sine + region.centerX) * perColumn
    yx = width * sine * flip * perRow
    yy = height * cosine * perRow
    y0 = (-0.5 * height * cosine - 0.5 * width * sine * flip + region.centerY) * perRow
    zScale = width * perColumn
  }

  /// Returns the projection of `point`.
  @inlinable
  public func callAsFunction(_ point: NormalizedPoint) -> NormalizedPoint {
    NormalizedPoint(x: point.x * xx + point.y * xy + x0, y: point.x * yx + point.y * yy + y0)
  }

  /// Returns the smallest upright box around the four projected corners of a box.
  public func boundingBox(
    left: Float, top: Float, right: Float, bottom: Float
  ) -> (left: Float, top: Float, right: Float, bottom: Float) {
    let first = self(NormalizedPoint(x: left, y: top))
    var box = (left: first.x, top: first.y, right: first.x, bottom: first.y)
    for corner in [(right, top), (right, bottom), (left, bottom)] {
      let point = self(NormalizedPoint(x: corner.0, y: corner.1))
      box.left = min(box.left, point.x)
      box.top = min(box.top, point.y)
      box.right = max(box.right, point.x)
      box.bottom = max(box.bottom, point.y)
    }
    return box
  }

  /// Returns the map that applies this map first and `next` second.
  public func followed(by next: ImageProjection) -> ImageProjection {
    ImageProjection(
      xx: next.xx * xx + next.xy * yx, xy: next.xx * xy + next.xy * yy, x0: next.xx * x0 + next.xy * y0 + next.x0,
      yx: next.yx * xx + next.yy * yx, yy: next.yx * xy + next.yy * yy, y0: next.yx * x0 + next.yy * y0 + next.y0,
      zScale: next.zScale * zScale)
  }

  /// The inverse map, or nil if this map collapses the plane to a line.
  public var inverse: ImageProjection? {
    let determinant = xx * yy - xy * yx
    guard determinant != 0, determinant.isFinite, zScale != 0 else { return nil }
    return ImageProjection(
      xx: yy / determinant, xy: -xy / determinant, x0: (xy * y0 - yy * x0) / determinant,
      yx: -yx / determinant, yy: xx / determinant, y0: (yx * x0 - xx * y0) / determinant, zScale: 1 / zScale)
  }

  /// The map as a row-major 4 × 4 matrix, the layout of MediaPipe's `MATRIX` streams.
  public var matrix: [Float] {
    [xx, xy, 0, x0, yx, yy, 0, y0, 0, 0, zScale, 0, 0, 0, 0, 1]
  }
}
