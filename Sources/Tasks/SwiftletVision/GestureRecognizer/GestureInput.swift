import Foundation
import SwiftletImage

/// A hand as the gesture embedder takes it: upright, from the wrist, and of the same size whatever its size is.
///
/// - Source: the landmarks-to-matrix steps of MediaPipe's gesture recognizer.
struct GestureInput {
  /// How probable it is that the hand is a right one.
  let right: Float
  private let hand: Hand
  /// What a part of the picture's width, and of its height, is in parts of the longer side.
  private let scale: SIMD2<Float>
  private let cosine: Float
  private let sine: Float

  init(_ hand: Hand, in image: MPImage) {
    self.hand = hand
    right = hand.handedness.index == 0 ? hand.handedness.score : 1 - hand.handedness.score
    let size = SIMD2(Float(image.width), Float(image.height))
    scale = size / size.max()
    let angle = image.orientation.regionRotation
    (cosine, sine) = (cos(angle), sin(angle))
  }

  func writeLandmarks(to numbers: UnsafeMutableBufferPointer<Float>) {
    let points = hand.landmarks
    write(points.count, to: numbers) { index in
      let point = points[index]
      return SIMD3(point.x * scale.x, point.y * scale.y, point.z)
    }
  }

  func writeWorldLandmarks(to numbers: UnsafeMutableBufferPointer<Float>) {
    let points = hand.worldLandmarks
    write(points.count, to: numbers) { index in SIMD3(points[index].x, points[index].y, points[index].z) }
  }

  /// Writes points from the first one on, turned upright, in parts of the longer side of the box that holds them all.
  private func write(_ count: Int, to numbers: UnsafeMutableBufferPointer<Float>, _ point: (Int) -> SIMD3<Float>) {
    guard count > 0, numbers.count == 3 * count else { return }
    let origin = point(0)
    func upright(_ index: Int) -> SIMD3<Float> {
      let way = point(index) - origin
      return SIMD3(way.x * cosine + way.y * sine, way.y * cosine - way.x * sine, way.z)
    }
    var (low, high) = (SIMD3<Float>(repeating: .infinity), SIMD3<Float>(repeating: -.infinity))
    for index in 0..<count {
      low = pointwiseMin(low, upright(index))
      high = pointwiseMax(high, upright(index))
    }
    let size = high - low
    // MediaPipe adds so much that points without an extent do not divide by 0.
    let divisor = max(size.x, size.y) + 1e-5
    for index in 0..<count {
      let value = upright(index) / divisor
      (numbers[3 * index], numbers[3 * index + 1], numbers[3 * index + 2]) = (value.x, value.y, value.z)
    }
  }
}
