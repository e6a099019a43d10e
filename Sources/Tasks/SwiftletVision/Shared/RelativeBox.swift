import SwiftletImage

/// A box while a detection is worked on: coordinates are fractions of the model's input, later of the picture.
///
/// Single precision, as MediaPipe works in it.
typealias RelativeBox = UprightBox<Float>

extension RelativeBox {
  /// Boxes with a negative or undefined size stand for nothing. Those without an area are kept: MediaPipe reports them.
  var isDefined: Bool { width >= 0 && height >= 0 && x.isFinite && y.isFinite && right.isFinite && bottom.isFinite }

  /// The upright box around this one's corners in the coordinates that `projection` leads to.
  func projected(by projection: ImageProjection) -> RelativeBox {
    let box = projection.boundingBox(left: x, top: y, right: right, bottom: bottom)
    return RelativeBox(x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top)
  }

  /// The box in whole pixels: every number is cut toward zero and clamped to the picture by itself, so that a box which
  /// begins left of the picture keeps its width.
  ///
  /// - Source: the rule of MediaPipe's detection transformation.
  func pixelBox(imageWidth: Int, imageHeight: Int) -> PixelRect {
    func pixels(_ fraction: Float, _ size: Int) -> Double {
      let value = fraction * Float(size)
      return value.isNaN ? 0 : Double(Int(min(max(value, 0), Float(size))))
    }
    return PixelRect(
      x: pixels(x, imageWidth), y: pixels(y, imageHeight), width: pixels(width, imageWidth),
      height: pixels(height, imageHeight))
  }
}
