/// An upright box in a picture, in pixels from its top left corner, x to the right and y down.
///
/// Edges lie between pixels: a box of the whole picture has the origin (0, 0) and the picture's width and height.
public struct BoundingBox: Sendable, Hashable {
  /// The left edge.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// A box of this place and size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// A box around a centre.
  public init(centerX: Double, centerY: Double, width: Double, height: Double) {
    self.init(x: centerX - width / 2, y: centerY - height / 2, width: width, height: height)
  }

  /// The middle of the box.
  public var center: (x: Double, y: Double) { (x + width / 2, y + height / 2) }

  /// Square pixels; 0 for a box without a width or a height.
  public var area: Double { width > 0 && height > 0 ? width * height : 0 }

  /// Whether all numbers are finite, the right and bottom edge too, and both sides longer than nothing.
  public var isUsable: Bool {
    width > 0 && height > 0 && x.isFinite && y.isFinite && (x + width).isFinite && (y + height).isFinite
  }

  /// Shared area over united area, 0…1; 0 for boxes that do not touch, that have no area, or that are not made of
  /// numbers.
  public func intersectionOverUnion(with other: BoundingBox) -> Double {
    let shared = intersection(with: other).area
    guard shared > 0 else { return 0 }
    let ratio = shared / (area + other.area - shared)
    return ratio >= 0 ? min(ratio, 1) : 0
  }

  /// The part of the box inside a picture; empty, of zero width and height, when nothing of it is inside.
  public func clipped(width: Double, height: Double) -> BoundingBox {
    intersection(with: BoundingBox(x: 0, y: 0, width: width, height: height))
  }

  /// The shared part of two boxes; of zero width and height when they share nothing.
  func intersection(with other: BoundingBox) -> BoundingBox {
    // Comparing what is not a number would make the result depend on the order of the boxes.
    guard isUsable, other.isUsable else { return BoundingBox(x: 0, y: 0, width: 0, height: 0) }
    let left = max(x, other.x)
    let top = max(y, other.y)
    let sharedWidth = min(x + width, other.x + other.width) - left
    let sharedHeight = min(y + height, other.y + other.height) - top
    guard sharedWidth > 0, sharedHeight > 0 else { return BoundingBox(x: left, y: top, width: 0, height: 0) }
    return BoundingBox(x: left, y: top, width: sharedWidth, height: sharedHeight)
  }

  /// The box with `fraction` of its own size added on each side.
  func grown(by fraction: Double) -> BoundingBox {
    BoundingBox(
      x: x - fraction * width, y: y - fraction * height, width: width * (1 + 2 * fraction),
      height: height * (1 + 2 * fraction))
  }
}
