import SwiftletEngine

/// An axis-aligned box by two corners, as detection operators read and write boxes.
struct CornerBox: BitwiseCopyable, Sendable, Hashable {
  var minY: Float
  var minX: Float
  var maxY: Float
  var maxX: Float

  init(minY: Float, minX: Float, maxY: Float, maxX: Float) {
    self.minY = minY
    self.minX = minX
    self.maxY = maxY
    self.maxX = maxX
  }

  /// The box between two opposite corners `(y, x)`, whichever these are.
  init(corner firstY: Float, _ firstX: Float, and secondY: Float, _ secondX: Float) {
    self.init(
      minY: min(firstY, secondY), minX: min(firstX, secondX), maxY: max(firstY, secondY), maxX: max(firstX, secondX))
  }

  var area: Float { (maxY - minY) * (maxX - minX) }

  /// Shared area over united area; 0 when either box has no area, else NaN when a coordinate is NaN.
  ///
  /// - Source: the steps of TensorFlow Lite's reference kernels, which decide what a detection operator keeps. Tasks have
  ///   a rule of their own, MediaPipe's (`UprightBox`): areas come from a size, and NaN gives 0.
  @inline(__always)
  func intersectionOverUnion(with other: CornerBox) -> Float {
    let area = area
    let otherArea = other.area
    if area <= 0 || otherArea <= 0 { return 0 }
    let height = max(min(maxY, other.maxY) - max(minY, other.minY), 0)
    let width = max(min(maxX, other.maxX) - max(minX, other.minX), 0)
    let shared = height * width
    return shared / (area + otherArea - shared)
  }
}
