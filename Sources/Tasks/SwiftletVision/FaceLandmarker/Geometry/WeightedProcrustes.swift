/// Finds how points have to be turned, scaled and moved to lie as close as possible to others.
///
/// - Source: weighted orthogonal Procrustes analysis with scale and translation, without reflection (Schönemann 1966;
///   Akca 2003).
struct WeightedProcrustes: Sendable {
  /// Sums that are not larger determine nothing.
  private static let least = 1e-9

  /// How points are turned, scaled and moved, in this order.
  struct Motion: Sendable, Hashable {
    var rotation: Matrix3
    var scale: Double
    var translation: SIMD3<Double>
  }

  private let source: [SIMD3<Double>]
  /// The source seen from its weighted middle.
  private let centered: [SIMD3<Double>]
  private let weights: [Double]
  private let totalWeight: Double
  /// What the scale is divided by.
  private let spread: Double

  /// - Parameters:
  ///   - source: the points that are moved.
  ///   - weights: how much each counts, as many as points.
  /// - Returns: `nil` for points in one place, and for weights that are negative, not finite or practically 0.
  init?(source: [SIMD3<Double>], weights: [Double]) {
    let total = weights.reduce(0, +)
    guard source.count == weights.count, weights.allSatisfy({ $0 >= 0 }), total > Self.least, total.isFinite else {
      return nil
    }
    let middle = zip(source, weights).reduce(SIMD3<Double>.zero) { $0 + $1.0 * $1.1 } / total
    let centered = source.map { $0 - middle }
    let spread = zip(centered, weights).reduce(0) { $0 + $1.1 * $1.0.dot($1.0) }
    guard spread > Self.least, spread.isFinite else { return nil }
    (self.source, self.centered, self.weights) = (source, centered, weights)
    (totalWeight, self.spread) = (total, spread)
  }

  /// How the source comes closest to other points.
  ///
  /// - Parameter target: as many points as the source has.
  /// - Returns: `nil` where no motion is the closest one, or it would shrink everything to a point.
  func motion(to target: [SIMD3<Double>]) -> Motion? {
    guard target.count == source.count else { return nil }
    var product = Matrix3.zero
    for index in target.indices { product.add(target[index], centered[index], factor: weights[index]) }
    guard product.norm > Self.least, let rotation = product.nearestRotation else { return nil }
    var sum = 0.0
    for index in target.indices { sum += weights[index] * (rotation * centered[index]).dot(target[index]) }
    let scale = sum / spread
    guard scale > Self.least, scale.isFinite else { return nil }
    var translation = SIMD3<Double>.zero
    for index in target.indices {
      translation += (target[index] - rotation * source[index] * scale) * weights[index]
    }
    return Motion(rotation: rotation, scale: scale, translation: translation / totalWeight)
  }
}
