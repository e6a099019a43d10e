import SwiftletImage

/// The input of the gesture embedder: a hand in normalized form, upright, relative to the wrist, and scaled to a fixed
/// size.
///
/// - Source: the landmarks-to-matrix steps of MediaPipe's gesture recognizer, with the same order of operations and
///   precision, so that scores are equal bit for bit.
struct GestureInput {
  /// The probability that the hand is a right hand.
  let right: Float
  private let hand: Hand
  /// The image's width and height as fractions of its longer side.
  private let scale: SIMD2<Float>
  private let cosine: Float
  private let sine: Float

  init(_ hand: Hand, in image: InputImage) {
    self.hand = hand
    right = hand.handedness == .right ? hand.handednessScore : 1 - hand.handednessScore
    let size = SIMD2(Float(image.width), Float(image.height))
    scale = size / size.max()
    let angle = image.orientation.regionRotation
    (cosine, sine) = (RoundedFunctions.cosine(angle), RoundedFunctions.sine(-angle))
  }

  func writeLandmarks(to numbers: UnsafeMutableBufferPointer<Float>) {
    let points = hand.landmarks
    write(points.count, to: numbers) { index in
      let point = points[index]
      return SIMD3(Self.scaled(point.x, by: scale.x), Self.scaled(point.y, by: scale.y), point.z)
    }
  }

  /// Scales a coordinate about the center of the image, in double precision.
  private static func scaled(_ value: Float, by scale: Float) -> Float {
    Float((Double(value) - 0.5) * Double(scale) + 0.5)
  }

  func writeWorldLandmarks(to numbers: UnsafeMutableBufferPointer<Float>) {
    let points = hand.worldLandmarks
    write(points.count, to: numbers) { index in SIMD3(points[index].x, points[index].y, points[index].z) }
  }

  /// Writes points relative to the first point, upright, as fractions of the longer side of their bounding box.
  private func write(_ count: Int, to numbers: UnsafeMutableBufferPointer<Float>, _ point: (Int) -> SIMD3<Float>) {
    guard count > 0, numbers.count == 3 * count else { return }
    // Rotate about the image center, even for world landmarks in meters; subtracting the first point cancels the
    // offset.
    func upright(_ index: Int) -> SIMD3<Float> {
      let point = point(index)
      let (x, y) = (point.x - 0.5, point.y - 0.5)
      return SIMD3(x * cosine - y * sine + 0.5, y * cosine + x * sine + 0.5, point.z)
    }
    let origin = upright(0)
    var (low, high) = (SIMD3<Float>(repeating: .infinity), SIMD3<Float>(repeating: .leastNormalMagnitude))
    for index in 0..<count {
      let way = upright(index) - origin
      low = pointwiseMin(low, way)
      high = pointwiseMax(high, way)
    }
    let size = high - low
    // MediaPipe adds this value, so that points without an extent cause no division by 0.
    let divisor = max(size.x, size.y) + 1e-5
    for index in 0..<count {
      let value = (upright(index) - origin) / divisor
      (numbers[3 * index], numbers[3 * index + 1], numbers[3 * index + 2]) = (value.x, value.y, value.z)
    }
  }
}
