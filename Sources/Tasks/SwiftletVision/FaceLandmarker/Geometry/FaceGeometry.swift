import SwiftletBase

/// Finds out where in space a face is, from its points in an image.
///
/// The image is taken to be one of a camera of a known angle of view. The canonical face is turned, scaled and moved so
/// that the camera sees its points where the image has them.
///
/// - Source: the face geometry of MediaPipe, which estimates the scale twice: from the points as they lie in the image,
///   and from those points moved to their distances.
struct FaceGeometry: Sendable {
  /// The angle between the camera's upper and lower edges.
  private static let fieldOfView = 63.0 * .pi / 180
  /// The distance of the plane on which the camera sees the image.
  private static let near = 1.0
  /// Points that all lie closer to their middle are no face; in parts of width and height.
  private static let leastExtent = 1e-3

  private let procrustes: WeightedProcrustes
  /// The numbers of the points that count, in the order of the procrustes' source.
  private let points: [Int]
  /// The points of the last face, and what the canonical face was moved to.
  private var flat: [SIMD3<Double>] = []
  private var target: [SIMD3<Double>] = []

  /// - Parameter canonical: a face that was checked when it was read.
  init(_ canonical: CanonicalFace) {
    procrustes = canonical.procrustes
    points = canonical.weightedPoints
  }

  /// From the canonical face to the camera; `nil` for points that are no face in space.
  ///
  /// - Parameter landmarks: the points of a face in an image.
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
      // As it lies on the near plane, with its depth in the same unit.
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

  /// Moves the points away from a camera that looks along −z, until the face is `scale` times as large as its canonical
  /// form looks on the near plane.
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
