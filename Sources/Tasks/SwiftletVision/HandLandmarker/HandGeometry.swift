import SwiftletImage

/// Where hands are, and which are one.
///
/// - Source: MediaPipe's hand landmarker.
enum HandGeometry {
  /// The points that move less than finger tips do.
  private static let steadyPoints = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]

  /// Where a hand is expected in the next frame: around palm and lower joints, fingers up.
  static func nextRegion(_ points: [NormalizedLandmark], _ geometry: RegionGeometry) -> NormalizedRect {
    let (index, middle, ring) = (points[5], points[9], points[13])
    let knuckles = NormalizedPoint(
      x: ((index.x + ring.x) / 2 + middle.x) / 2, y: ((index.y + ring.y) / 2 + middle.y) / 2)
    let rotation = geometry.rotation(from: points[0].point, to: knuckles, direction: RegionGeometry.up)
    let around = geometry.region(around: steadyPoints.lazy.map { points[$0].point }, rotation: rotation)
    return geometry.adjusted(around, by: .init(shift: -0.1, scale: 2))
  }

  /// Whether two findings are one hand: ten or more of their points lie close to each other, for hands of their size,
  /// and their boxes overlap.
  static func areOne(_ one: [NormalizedLandmark], _ other: [NormalizedLandmark], _ geometry: RegionGeometry) -> Bool {
    let reach = 0.2 * max(size(one, geometry), size(other, geometry))
    let closeCount = one.indices.count { geometry.distance(one[$0].point, other[$0].point) < reach }
    guard closeCount >= 10 else { return false }
    return box(one).intersectionOverUnion(with: box(other)) > 0.2
  }

  /// The longest side of the palm, in pixels.
  private static func size(_ points: [NormalizedLandmark], _ geometry: RegionGeometry) -> Float {
    func distance(_ one: Int, _ other: Int) -> Float { geometry.distance(points[one].point, points[other].point) }
    return max(distance(0, 5), distance(5, 17), distance(17, 0))
  }

  private static func box(_ points: [NormalizedLandmark]) -> NormalizedRect {
    var (low, high) = (SIMD2<Float>(repeating: .infinity), SIMD2<Float>(repeating: -.infinity))
    for point in points {
      low = pointwiseMin(low, SIMD2(point.x, point.y))
      high = pointwiseMax(high, SIMD2(point.x, point.y))
    }
    return NormalizedRect(left: low.x, top: low.y, right: high.x, bottom: high.y)
  }
}
