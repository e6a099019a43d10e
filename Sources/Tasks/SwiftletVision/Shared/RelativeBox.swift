import Foundation
import SwiftletImage

/// A box while a detection is worked on: coordinates are fractions of the model's input, later of the picture.
struct RelativeBox: Sendable, Hashable {
  var left: Float
  var top: Float
  var width: Float
  var height: Float

  var right: Float { left + width }
  var bottom: Float { top + height }

  /// Boxes with a negative or undefined size stand for nothing.
  var isUsable: Bool { width >= 0 && height >= 0 && left.isFinite && top.isFinite && right.isFinite && bottom.isFinite }

  /// Shared area over united area, 0 for boxes that do not touch and where nothing has an area.
  func intersectionOverUnion(with other: RelativeBox) -> Float {
    let sharedWidth = min(right, other.right) - max(left, other.left)
    let sharedHeight = min(bottom, other.bottom) - max(top, other.top)
    guard sharedWidth >= 0, sharedHeight >= 0 else { return 0 }
    let shared = sharedWidth * sharedHeight
    let union = width * height + other.width * other.height - shared
    return union > 0 ? shared / union : 0
  }

  /// The upright box around this one's corners in the coordinates that `projection` leads to.
  func projected(by projection: ImageProjection) -> RelativeBox {
    let box = projection.boundingBox(left: left, top: top, right: right, bottom: bottom)
    return RelativeBox(left: box.left, top: box.top, width: box.right - box.left, height: box.bottom - box.top)
  }

  /// The box in whole pixels: every number is cut toward zero and clamped to the picture by itself, so that a box which
  /// begins left of the picture keeps its width.
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
