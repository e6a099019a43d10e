import Foundation
import SwiftletImage

/// A detection while it is worked on: coordinates are fractions of the model's input, later of the picture.
struct RelativeDetection: Sendable, Hashable {
  var left: Float
  var top: Float
  var width: Float
  var height: Float
  var keypoints: [NormalizedPoint] = []
  /// Classes with scores, best first.
  var classes: [ScoredClass]

  struct ScoredClass: Sendable, Hashable {
    var index: Int
    var score: Float
  }

  var score: Float { classes.first?.score ?? 0 }
  var right: Float { left + width }
  var bottom: Float { top + height }

  /// Boxes with a negative or undefined size stand for nothing.
  var isUsable: Bool { width >= 0 && height >= 0 && left.isFinite && top.isFinite && right.isFinite && bottom.isFinite }

  /// Shared area over united area, 0 for boxes that do not touch and where nothing has an area.
  func intersectionOverUnion(with other: RelativeDetection) -> Float {
    let sharedWidth = min(right, other.right) - max(left, other.left)
    let sharedHeight = min(bottom, other.bottom) - max(top, other.top)
    guard sharedWidth >= 0, sharedHeight >= 0 else { return 0 }
    let shared = sharedWidth * sharedHeight
    let union = width * height + other.width * other.height - shared
    return union > 0 ? shared / union : 0
  }

  /// The same detection in the coordinates that `projection` leads to; the box is the upright one around the projected corners.
  func projected(by projection: ImageProjection) -> RelativeDetection {
    let box = projection.boundingBox(left: left, top: top, right: right, bottom: bottom)
    var result = self
    result.left = box.left
    result.top = box.top
    result.width = box.right - box.left
    result.height = box.bottom - box.top
    result.keypoints = keypoints.map { projection($0) }
    return result
  }

  /// The box in whole pixels: every number is cut toward zero and clamped to the picture by itself, so that a box which begins left of
  /// the picture keeps its width.
  ///
  /// - Source: the rule of MediaPipe's detection transformation.
  func pixelBox(imageWidth: Int, imageHeight: Int) -> CGRect {
    func pixels(_ fraction: Float, _ size: Int) -> Int {
      let value = fraction * Float(size)
      return value.isNaN ? 0 : Int(min(max(value, 0), Float(size)))
    }
    return CGRect(
      x: pixels(left, imageWidth), y: pixels(top, imageHeight), width: pixels(width, imageWidth),
      height: pixels(height, imageHeight))
  }
}
