public import SwiftletImage

/// An upright box in pixels of a picture.
///
/// Double precision, as the filters of the tracker work in it.
public typealias BoundingBox = UprightBox<Double>

extension BoundingBox {
  /// A box around a centre.
  public init(centerX: Double, centerY: Double, width: Double, height: Double) {
    self.init(x: centerX - width / 2, y: centerY - height / 2, width: width, height: height)
  }

  /// The part of the box inside a picture; empty, of zero width and height, when nothing of it is inside.
  public func clipped(width: Double, height: Double) -> BoundingBox {
    intersection(with: BoundingBox(x: 0, y: 0, width: width, height: height))
  }

  /// The box with `fraction` of its own size added on each side.
  func grown(by fraction: Double) -> BoundingBox {
    BoundingBox(
      x: x - fraction * width, y: y - fraction * height, width: width * (1 + 2 * fraction),
      height: height * (1 + 2 * fraction))
  }
}
