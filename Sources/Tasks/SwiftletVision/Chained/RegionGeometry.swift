import Foundation
import SwiftletImage

/// How turned regions of a picture are made, from points in it and from other regions.
///
/// Angles and shapes are those in pixels, so the size of the picture has to be known.
///
/// - Source: the rectangles of MediaPipe's landmark tasks.
struct RegionGeometry: Sendable, Hashable {
  /// What is done to a region before a model looks at it.
  struct Adjustment: Sendable, Hashable {
    /// How far the region moves down its own vertical axis, in parts of its height; negative for up.
    var shift: Float = 0
    /// What the longer side is multiplied by; the region becomes a square of that side.
    var scale: Float
  }

  /// Of the stored picture, in pixels.
  let width: Float
  let height: Float

  init(_ image: MPImage) { (width, height) = (Float(image.width), Float(image.height)) }

  /// How far a region must be turned so that the way from `start` to `end` has a certain direction in it, in −π…π.
  ///
  /// - Parameter direction: counter-clockwise from "to the right", in radians; π/2 is up.
  func rotation(from start: NormalizedPoint, to end: NormalizedPoint, direction: Float) -> Float {
    let found = atan2(-(end.y - start.y) * height, (end.x - start.x) * width)
    let angle = direction - found
    return angle - 2 * .pi * ((angle + .pi) / (2 * .pi)).rounded(.down)
  }

  /// The region moved, then made a square, then scaled.
  func adjusted(_ region: NormalizedRect, by adjustment: Adjustment) -> NormalizedRect {
    var result = region
    let shift = region.height * height * adjustment.shift
    result.center.x -= shift * sin(region.rotation) / width
    result.center.y += shift * cos(region.rotation) / height
    let side = max(region.width * width, region.height * height) * adjustment.scale
    result.width = side / width
    result.height = side / height
    return result
  }

  /// The smallest region of a certain rotation that holds all points; one without an area for no points.
  func region(around points: some Collection<NormalizedPoint>, rotation: Float) -> NormalizedRect {
    let (cosine, sine) = (cos(rotation), sin(rotation))
    var low = SIMD2<Float>(repeating: .infinity)
    var high = -low
    for point in points {
      // In pixels along the region's own axes.
      let (x, y) = (point.x * width, point.y * height)
      let turned = SIMD2(x * cosine + y * sine, y * cosine - x * sine)
      low = pointwiseMin(low, turned)
      high = pointwiseMax(high, turned)
    }
    let (middle, size) = ((low + high) / 2, high - low)
    return NormalizedRect(
      center: NormalizedPoint(
        x: (middle.x * cosine - middle.y * sine) / width, y: (middle.x * sine + middle.y * cosine) / height),
      width: size.x / width, height: size.y / height, rotation: rotation)
  }

  /// The upright square about a point that reaches as far from it as another point lies.
  func square(about center: NormalizedPoint, reaching end: NormalizedPoint) -> NormalizedRect {
    let side = 2 * distance(center, end)
    return NormalizedRect(center: center, width: side / width, height: side / height)
  }

  /// How far two points are from each other, in pixels.
  func distance(_ one: NormalizedPoint, _ other: NormalizedPoint) -> Float {
    hypot((other.x - one.x) * width, (other.y - one.y) * height)
  }

  /// Whether a model can look at the region: it has an area, and is neither far from the picture nor far larger.
  ///
  /// A region that is computed from a model's outputs may hold any numbers.
  func isUsable(_ region: NormalizedRect) -> Bool {
    let limit = 4 * max(width, height)
    let size = SIMD2(region.width * width, region.height * height)
    return size.x > 0 && size.y > 0 && size.x <= limit && size.y <= limit && region.rotation.isFinite
      && abs(region.center.x * width) <= limit && abs(region.center.y * height) <= limit
      && abs(region.rotation) <= 4 * .pi
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
