import SwiftletImage

/// The map from points of a region, 0…1 along its own axes, to the stored image, for regions that are squares in pixels.
///
/// Other than `ImageProjection`, which is exact for any region, the map knows nothing of the image's shape.
///
/// - Source: the landmark projection of MediaPipe's hand and pose tasks, in its order of operations, so that landmarks
///   are equal in every bit.
struct RegionPlacement: Sendable, Hashable {
  private let center: NormalizedPoint
  private let width: Float
  private let height: Float
  private let cosine: Float
  private let sine: Float

  init(_ region: NormalizedRect) {
    (center, width, height) = (region.center, region.width, region.height)
    (cosine, sine) = (RoundedFunctions.cosine(region.rotation), RoundedFunctions.sine(region.rotation))
  }

  /// The factor from depths in widths of the region to depths in widths of the image.
  var depthScale: Float { width }

  /// The place in the image of a point of the region.
  func callAsFunction(_ point: NormalizedPoint) -> NormalizedPoint {
    let way = turned(NormalizedPoint(x: point.x - 0.5, y: point.y - 0.5))
    return NormalizedPoint(x: way.x * width + center.x, y: way.y * height + center.y)
  }

  /// The point, turned about the origin as the region is.
  func turned(_ point: NormalizedPoint) -> NormalizedPoint {
    NormalizedPoint(x: cosine * point.x - sine * point.y, y: sine * point.x + cosine * point.y)
  }
}
