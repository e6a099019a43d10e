import SwiftletImage

/// Computes rotated regions of an image from points and from other regions.
///
/// Angles and aspect ratios are measured in pixels, so the size of the image must be known. The order and precision of
/// the operations are part of the contract: a difference in the last bit moves a region, the model then gets other
/// pixels, and a video amplifies the difference from frame to frame.
///
/// - Source: the rectangles of MediaPipe's landmark tasks, bit for bit.
struct RegionGeometry: Sendable, Hashable {
  /// The steps from a detected region to the region that a model runs on.
  struct Adjustment: Sendable, Hashable {
    /// The offset along the region's vertical axis, as a fraction of its height; negative for up.
    var shift: Float = 0
    /// The scale factor of both sides.
    var scale: Float
    /// Whether the region is extended to a square with its longer side before it is scaled.
    var isSquare = true
  }

  /// The direction of an upright subject, as in ``rotation(from:to:direction:)``: π/2, rounded to the nearest `Float`.
  /// `Float.pi` is rounded toward zero instead.
  static let up = Float(Double.pi / 2)
  /// The initial value of MediaPipe's searches for a maximum coordinate. The result cannot be smaller.
  private static let leastMaximum = Float.leastNormalMagnitude

  /// The width of the stored image, in pixels.
  let width: Float
  let height: Float
  private let imageWidth: Int
  private let imageHeight: Int

  init(_ image: InputImage) {
    (imageWidth, imageHeight) = (image.width, image.height)
    (width, height) = (Float(imageWidth), Float(imageHeight))
  }

  /// Returns the rotation of a region in which the vector from `start` to `end` has the given direction, in −π…π.
  ///
  /// - Parameter direction: The angle counterclockwise from the positive x-axis, in radians; ``up`` is π/2.
  func rotation(from start: NormalizedPoint, to end: NormalizedPoint, direction: Float) -> Float {
    rotation(from: pixels(start), to: pixels(end), direction: direction)
  }

  /// Returns the rotation of a region, as ``rotation(from:to:direction:)`` does, for points in pixels.
  func rotation(from start: SIMD2<Float>, to end: SIMD2<Float>, direction: Float) -> Float {
    let way = end - start
    return Self.normalized(direction - RoundedFunctions.arcTangent(y: -way.y, x: way.x))
  }

  /// Returns the position of a point in pixels.
  func pixels(_ point: NormalizedPoint) -> SIMD2<Float> { SIMD2(point.x * width, point.y * height) }

  /// Returns the equivalent angle in −π…π.
  private static func normalized(_ angle: Float) -> Float {
    let angle = Double(angle)
    return Float(angle - 2 * .pi * ((angle + .pi) / (2 * .pi)).rounded(.down))
  }

  /// Returns the region shifted, then extended to a square if requested, then scaled.
  func adjusted(_ region: NormalizedRect, by adjustment: Adjustment) -> NormalizedRect {
    var result = region
    if region.rotation == 0 {
      result.center.y += region.height * adjustment.shift
    } else {
      let shift = height * region.height * adjustment.shift
      result.center.x -= shift * RoundedFunctions.sine(region.rotation) / width
      result.center.y += shift * RoundedFunctions.cosine(region.rotation) / height
    }
    if adjustment.isSquare {
      let side = max(region.width * width, region.height * height)
      (result.width, result.height) = (side / width, side / height)
    }
    result.width *= adjustment.scale
    result.height *= adjustment.scale
    return result
  }

  /// Returns the smallest axis-aligned region that contains all points; without points, a region with no area.
  func box(around points: some Collection<NormalizedPoint>) -> NormalizedRect {
    let (low, high) = Self.extremes(points.lazy.map { SIMD2($0.x, $0.y) })
    let size = high - low
    let center = low + size / 2
    return NormalizedRect(center: NormalizedPoint(x: center.x, y: center.y), width: size.x, height: size.y)
  }

  /// Returns the smallest axis-aligned region that contains the keypoints of a detection.
  ///
  /// There are two differences to ``box(around:)``. The center is the mean of the edges, which may differ in the last
  /// bit, and coordinates of 0 or less can be the maximum.
  func box(aroundKeypoints points: some Collection<NormalizedPoint>) -> NormalizedRect {
    let (low, high) = Self.extremes(points.lazy.map { SIMD2($0.x, $0.y) }, leastMaximum: -.infinity)
    let (center, size) = ((low + high) / 2, high - low)
    return NormalizedRect(center: NormalizedPoint(x: center.x, y: center.y), width: size.x, height: size.y)
  }

  /// Returns the smallest region with the given rotation that contains all points; without points, a region with no
  /// area.
  func region(around points: some Collection<NormalizedPoint>, rotation: Float) -> NormalizedRect {
    let size = SIMD2(width, height)
    let (low, high) = Self.extremes(points.lazy.map { SIMD2($0.x, $0.y) })
    // Rotate the points about the center of their axis-aligned box, in pixels.
    let axis = (high + low) / 2
    let back = Self.normalized(-rotation)
    let turned = Self.extremes(points.lazy.map { Self.turned((SIMD2($0.x, $0.y) - axis) * size, by: back) })
    let center = (Self.turned((turned.high + turned.low) / 2, by: rotation) + size * axis) / size
    let extent = (turned.high - turned.low) / size
    return NormalizedRect(
      center: NormalizedPoint(x: center.x, y: center.y), width: extent.x, height: extent.y, rotation: rotation)
  }

  private static func turned(_ way: SIMD2<Float>, by rotation: Float) -> SIMD2<Float> {
    let (cosine, sine) = (RoundedFunctions.cosine(rotation), RoundedFunctions.sine(rotation))
    return SIMD2(way.x * cosine - way.y * sine, way.x * sine + way.y * cosine)
  }

  private static func extremes(
    _ points: some Collection<SIMD2<Float>>, leastMaximum: Float = leastMaximum
  ) -> (low: SIMD2<Float>, high: SIMD2<Float>) {
    var low = SIMD2<Float>(repeating: .infinity)
    var high = SIMD2<Float>(repeating: leastMaximum)
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    return (low, high)
  }

  /// Returns the mean of the width and the height of the axis-aligned box around points, in pixels.
  func size(of points: some Collection<NormalizedPoint>) -> Float {
    var (low, high) = (SIMD2<Float>(repeating: .infinity), SIMD2<Float>(repeating: -.infinity))
    for point in points {
      let place = pixels(point)
      low = pointwiseMin(low, place)
      high = pointwiseMax(high, place)
    }
    return ((high.x - low.x) + (high.y - low.y)) / 2
  }

  /// Returns the mean of a region's width and height, in pixels.
  func size(of region: NormalizedRect) -> Float { (region.width * width + region.height * height) / 2 }

  /// Returns the axis-aligned square around a center, with half a side as long as the distance from the center to
  /// `end`.
  func square(about center: NormalizedPoint, reaching end: NormalizedPoint) -> NormalizedRect {
    square(about: pixels(center), reaching: pixels(end))
  }

  /// Returns the axis-aligned square around a center, as ``square(about:reaching:)`` does, for points in pixels.
  func square(about center: SIMD2<Float>, reaching end: SIMD2<Float>) -> NormalizedRect {
    let side = 2 * Self.distance(center, end)
    return NormalizedRect(
      center: NormalizedPoint(x: center.x / width, y: center.y / height), width: side / width, height: side / height)
  }

  /// Returns the distance between two points, in pixels.
  func distance(_ one: NormalizedPoint, _ other: NormalizedPoint) -> Float {
    Self.distance(pixels(one), pixels(other))
  }

  private static func distance(_ one: SIMD2<Float>, _ other: SIMD2<Float>) -> Float {
    let way = other - one
    return (way.x * way.x + way.y * way.y).squareRoot()
  }

  /// Returns whether a model can run on the region: it has an area, and its coordinates can be converted to pixels.
  ///
  /// A region that is computed from a model's outputs may have any coordinates. A region that is many times larger than
  /// the image is valid: for example, the region of a body if the image shows only the face.
  func isUsable(_ region: NormalizedRect) -> Bool {
    region.canBeCutOut(imageWidth: imageWidth, imageHeight: imageHeight)
  }
}

extension NormalizedRect {
  /// Returns the intersection over union of two regions, without regard to their rotations.
  func intersectionOverUnion(with other: NormalizedRect) -> Float {
    RelativeBox(self).intersectionOverUnion(with: RelativeBox(other))
  }
}

extension RelativeBox {
  fileprivate init(_ region: NormalizedRect) {
    self.init(
      x: region.center.x - region.width / 2, y: region.center.y - region.height / 2, width: region.width,
      height: region.height)
  }
}
