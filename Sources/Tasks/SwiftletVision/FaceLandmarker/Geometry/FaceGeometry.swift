import SwiftletBase

/// Estimates the position of a face in space from its landmarks in an image.
///
/// It assumes a camera with a fixed field of view. The canonical face is rotated, scaled, and translated so that its
/// vertices project to the landmarks in the image.
///
/// - Source: the face geometry of MediaPipe, which estimates the scale twice: from the landmarks on the image plane,
///   and from the same landmarks moved to their distances.
struct FaceGeometry: Sendable {
  /// The vertical field of view of the camera.
  private static let fieldOfView = 63.0 * .pi / 180
  /// The distance of the image plane from the camera.
  private static let near = 1.0
  /// The minimum extent of the landmarks around their center, as a fraction of width and height.
  private static let leastExtent = 1e-3

  private let procrustes: WeightedProcrustes
  /// The indices of the weighted landmarks, in the order of the Procrustes source.
  private let points: [Int]
  /// The landmarks of the last face, flat and in space. The canonical face is fitted to the latter.
  private var flat: [SIMD3<Double>] = []
  private var target: [SIMD3<Double>] = []

  /// Creates an estimator.
  ///
  /// - Parameter canonical: A face that was validated when it was read.
  init(_ canonical: CanonicalFace) {
    procrustes = canonical.procrustes
    points = canonical.weightedPoints
  }

  /// Returns the map from the canonical face to the camera; `nil` if the landmarks determine no position in space.
  ///
  /// - Parameter landmarks: The landmarks of a face in an image.
  mutating func matrix(of landmarks: [NormalizedLandmark], in geometry: RegionGeometry) -> TransformationMatrix? {
    guard landmarks.count >= FaceLandmarks.meshCount, geometry.height > 0 else { return nil }
    let mesh = landmarks.prefix(FaceLandmarks.meshCount)
    guard isExtended(mesh) else { return nil }
    let height = 2 * Self.near * tan(Self.fieldOfView / 2)
    let width = height * Double(geometry.width) / Double(geometry.height)
    let depth = mesh.reduce(0) { $0 + Double($1.z) } / Double(mesh.count) * width
    flat.removeAll(keepingCapacity: true)
    target.removeAll(keepingCapacity: true)
    for index in points {
      // Position on the near plane, with the depth in the same unit.
      let point = landmarks[index]
      let (x, y) = ((Double(point.x) - 0.5) * width, (0.5 - Double(point.y)) * height)
      let z = Double(point.z) * width
      flat.append([x, y, z - depth])
      target.append([x, y, -z])
    }
    guard let first = procrustes.motion(to: target)?.scale else { return nil }
    lift(first)
    guard let second = procrustes.motion(to: target)?.scale else { return nil }
    lift(first * second)
    return procrustes.motion(to: target).flatMap { TransformationMatrix($0) }
  }

  /// Moves the points away from a camera that looks along −z, until the face is `scale` times as large as the canonical
  /// face on the near plane.
  private mutating func lift(_ scale: Double) {
    for index in flat.indices {
      let point = flat[index]
      let distance = (point.z + Self.near) / scale
      target[index] = [point.x * distance / Self.near, point.y * distance / Self.near, -distance]
    }
  }

  private func isExtended(_ mesh: ArraySlice<NormalizedLandmark>) -> Bool {
    let sum = mesh.reduce(SIMD2<Double>.zero) { $0 + SIMD2(Double($1.x), Double($1.y)) }
    let middle = sum / Double(mesh.count)
    return mesh.contains { point in
      let way = SIMD2(Double(point.x), Double(point.y)) - middle
      return (way * way).sum().squareRoot() > Self.leastExtent
    }
  }
}

extension TransformationMatrix {
  fileprivate init?(_ motion: WeightedProcrustes.Motion) {
    let (rotation, scale) = (motion.rotation, motion.scale)
    let sum = rotation.x * scale + rotation.y * scale + rotation.z * scale + motion.translation
    guard SIMD3<Float>(sum).sum().isFinite else { return nil }
    self.init(
      columns: (
        SIMD4(SIMD3<Float>(rotation.x * scale), 0), SIMD4(SIMD3<Float>(rotation.y * scale), 0),
        SIMD4(SIMD3<Float>(rotation.z * scale), 0), SIMD4(SIMD3<Float>(motion.translation), 1)
      ))
  }
}

/// Detects the rotation, scale, and translation that best align weighted points with target points.
///
/// - Source: weighted orthogonal Procrustes analysis with scale and translation, without reflection (Schönemann 1966;
///   Akca 2003).
struct WeightedProcrustes: Sendable {
  /// The threshold for sums that are too small to determine a result.
  private static let least = 1e-9

  /// A rotation, a scale, and a translation, applied in this order.
  struct Motion: Sendable, Hashable {
    var rotation: Matrix3
    var scale: Double
    var translation: SIMD3<Double>
  }

  private let source: [SIMD3<Double>]
  /// The source points relative to their weighted center.
  private let centered: [SIMD3<Double>]
  private let weights: [Double]
  private let totalWeight: Double
  /// The divisor of the scale: the weighted sum of squared distances from the center.
  private let spread: Double

  /// Creates the alignment of a set of points.
  ///
  /// - Parameters:
  ///   - source: The points to align.
  ///   - weights: The weight of each point.
  /// - Returns: `nil` if all points coincide, and for weights that are negative, not finite, or practically 0.
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

  /// Returns the motion that best aligns the source with target points.
  ///
  /// - Parameter target: The target points, as many as source points.
  /// - Returns: `nil` if the best motion is not determined, or would shrink everything to a point.
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
