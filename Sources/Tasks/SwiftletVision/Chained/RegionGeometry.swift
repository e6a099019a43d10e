import SwiftletImage

/// Rotated regions of an image, made from points and from other regions.
///
/// Angles and shapes are those in pixels, so the size of the image has to be known. The order of the operations and
/// their precision are part of the contract: a last bit moves a region, a model then sees other pixels, and a video
/// amplifies that from frame to frame.
///
/// - Source: the rectangles of MediaPipe's landmark tasks, equal in every bit.
struct RegionGeometry: Sendable, Hashable {
  /// The steps from a region to the one that a model looks at.
  struct Adjustment: Sendable, Hashable {
    /// The way that the region moves down its own vertical axis, as a fraction of its height; negative for up.
    var shift: Float = 0
    /// The factor of both sides.
    var scale: Float
    /// Whether the region becomes a square of its longer side before it is scaled.
    var isSquare = true
  }

  /// The direction of what stands upright, as in ``rotation(from:to:direction:)``: π/2, rounded to the nearest number.
  /// `Float.pi` is rounded toward zero instead.
  static let up = Float(Double.pi / 2)
  /// The value that MediaPipe's searches for a largest coordinate begin with, so that none is smaller.
  private static let leastMaximum = Float.leastNormalMagnitude

  /// Of the stored image, in pixels.
  let width: Float
  let height: Float
  private let imageWidth: Int
  private let imageHeight: Int

  init(_ image: InputImage) {
    (imageWidth, imageHeight) = (image.width, image.height)
    (width, height) = (Float(imageWidth), Float(imageHeight))
  }

  /// The rotation of a region in which the way from `start` to `end` has a certain direction, in −π…π.
  ///
  /// - Parameter direction: counter-clockwise from "to the right", in radians; ``up`` is π/2.
  func rotation(from start: NormalizedPoint, to end: NormalizedPoint, direction: Float) -> Float {
    rotation(from: pixels(start), to: pixels(end), direction: direction)
  }

  /// The same for points in pixels.
  func rotation(from start: SIMD2<Float>, to end: SIMD2<Float>, direction: Float) -> Float {
    let way = end - start
    return Self.normalized(direction - RoundedFunctions.arcTangent(y: -way.y, x: way.x))
  }

  /// The place of a point in pixels.
  func pixels(_ point: NormalizedPoint) -> SIMD2<Float> { SIMD2(point.x * width, point.y * height) }

  /// The same angle in −π…π.
  private static func normalized(_ angle: Float) -> Float {
    let angle = Double(angle)
    return Float(angle - 2 * .pi * ((angle + .pi) / (2 * .pi)).rounded(.down))
  }

  /// The region moved, then made a square if that is asked for, then scaled.
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

  /// The smallest upright region that holds all points; one without an area for no points.
  func box(around points: some Collection<NormalizedPoint>) -> NormalizedRect {
    let (low, high) = Self.extremes(points.lazy.map { SIMD2($0.x, $0.y) })
    let size = high - low
    let center = low + size / 2
    return NormalizedRect(center: NormalizedPoint(x: center.x, y: center.y), width: size.x, height: size.y)
  }

  /// The same for a detection's keypoints: its center is the mean of the edges, which may differ in the last bit, and
  /// points next to the image count as all others.
  func box(aroundKeypoints points: some Collection<NormalizedPoint>) -> NormalizedRect {
    let (low, high) = Self.extremes(points.lazy.map { SIMD2($0.x, $0.y) }, leastMaximum: -.infinity)
    let (center, size) = ((low + high) / 2, high - low)
    return NormalizedRect(center: NormalizedPoint(x: center.x, y: center.y), width: size.x, height: size.y)
  }

  /// The smallest region of a certain rotation that holds all points; one without an area for no points.
  func region(around points: some Collection<NormalizedPoint>, rotation: Float) -> NormalizedRect {
    let size = SIMD2(width, height)
    let (low, high) = Self.extremes(points.lazy.map { SIMD2($0.x, $0.y) })
    // The points are turned about the middle of their upright box, in pixels.
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

  /// The mean of the width and the height of the upright box around points, in pixels.
  func size(of points: some Collection<NormalizedPoint>) -> Float {
    var (low, high) = (SIMD2<Float>(repeating: .infinity), SIMD2<Float>(repeating: -.infinity))
    for point in points {
      let place = pixels(point)
      low = pointwiseMin(low, place)
      high = pointwiseMax(high, place)
    }
    return ((high.x - low.x) + (high.y - low.y)) / 2
  }

  /// The mean of a region's width and height, in pixels.
  func size(of region: NormalizedRect) -> Float { (region.width * width + region.height * height) / 2 }

  /// The upright square about a point that reaches as far from it as another point lies.
  func square(about center: NormalizedPoint, reaching end: NormalizedPoint) -> NormalizedRect {
    square(about: pixels(center), reaching: pixels(end))
  }

  /// The same for points in pixels.
  func square(about center: SIMD2<Float>, reaching end: SIMD2<Float>) -> NormalizedRect {
    let side = 2 * Self.distance(center, end)
    return NormalizedRect(
      center: NormalizedPoint(x: center.x / width, y: center.y / height), width: side / width, height: side / height)
  }

  /// The distance of two points in pixels.
  func distance(_ one: NormalizedPoint, _ other: NormalizedPoint) -> Float {
    Self.distance(pixels(one), pixels(other))
  }

  private static func distance(_ one: SIMD2<Float>, _ other: SIMD2<Float>) -> Float {
    let way = other - one
    return (way.x * way.x + way.y * way.y).squareRoot()
  }

  /// Whether a model can look at the region: it has an area, and consists of numbers that pixels can be counted by.
  ///
  /// A region that is computed from a model's outputs may hold any numbers. One that is many times larger than the image
  /// is of use: a body of which the image shows the face alone has such a region.
  func isUsable(_ region: NormalizedRect) -> Bool {
    region.canBeCutOut(imageWidth: imageWidth, imageHeight: imageHeight)
  }
}

extension NormalizedRect {
  /// Shared area over united area, of both as if they were not turned.
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
