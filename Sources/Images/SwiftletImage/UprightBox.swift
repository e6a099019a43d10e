/// An upright box in an image, defined by its upper-left corner and its size, with x to the right and y down.
///
/// The unit depends on the context: pixels, or fractions of the image's width and height. Edges are between pixels: a
/// box of the whole image has the origin (0, 0) and the image's width and height.
///
/// Every declaration is inlinable, so that each module gets specialized code for boxes of `Float` and `Double`.
public struct UprightBox<Number: BinaryFloatingPoint & Sendable>: Sendable, Hashable {
  /// The left edge.
  public var x: Number
  /// The top edge.
  public var y: Number
  /// The width.
  public var width: Number
  /// The height.
  public var height: Number

  /// Creates a box with the given position and size.
  @inlinable
  public init(x: Number, y: Number, width: Number, height: Number) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The right edge.
  @inlinable
  public var right: Number { x + width }

  /// The bottom edge.
  @inlinable
  public var bottom: Number { y + height }

  /// The center of the box.
  @inlinable
  public var center: (x: Number, y: Number) { (x + width / 2, y + height / 2) }

  /// The width times the height; 0 for a box without a width or a height.
  @inlinable
  public var area: Number { width > 0 && height > 0 ? width * height : 0 }

  /// A Boolean value that indicates whether all numbers are finite, including the right and bottom edges, and both
  /// sides are greater than 0.
  @inlinable
  public var isUsable: Bool {
    width > 0 && height > 0 && x.isFinite && y.isFinite && right.isFinite && bottom.isFinite
  }

  /// Returns the horizontal and vertical overlap of two boxes, which isn't above 0 if they don't overlap. Only
  /// meaningful for usable boxes.
  @inlinable
  func overlap(with other: UprightBox) -> (width: Number, height: Number) {
    (min(right, other.right) - max(x, other.x), min(bottom, other.bottom) - max(y, other.y))
  }

  /// Returns the intersection of two boxes. Its width and height are zero if the boxes share no area, for example if
  /// they only touch.
  @inlinable
  public func intersection(with other: UprightBox) -> UprightBox {
    // Comparisons with NaN would make the result depend on the order of the boxes.
    guard isUsable, other.isUsable else { return UprightBox(x: 0, y: 0, width: 0, height: 0) }
    let shared = overlap(with: other)
    let overlaps = shared.width > 0 && shared.height > 0
    return UprightBox(
      x: max(x, other.x), y: max(y, other.y), width: overlaps ? shared.width : 0, height: overlaps ? shared.height : 0)
  }

  /// Returns the intersection over union, 0…1. It is 0 for boxes that don't overlap, have no area, or have infinite or
  /// NaN values.
  ///
  /// - Source: the rule of MediaPipe's non-maximum suppression, where equal boxes return exactly 1.
  @inlinable
  public func intersectionOverUnion(with other: UprightBox) -> Number {
    let overlap = overlap(with: other)
    // Most pairs don't overlap, so check this first.
    guard overlap.width > 0, overlap.height > 0, isUsable, other.isUsable else { return 0 }
    let shared = overlap.width * overlap.height
    let ratio = shared / (spannedArea + other.spannedArea - shared)
    // The areas may overflow.
    return ratio >= 0 ? min(ratio, 1) : 0
  }

  /// The area between the rounded edges, which can differ from `width * height` in the last bit.
  @inlinable
  var spannedArea: Number { (right - x) * (bottom - y) }
}

extension UprightBox: CustomStringConvertible {
  /// The position and size of the box, such as `(x: 12.0, y: 34.0, width: 56.0, height: 78.0)`.
  public var description: String { "(x: \(x), y: \(y), width: \(width), height: \(height))" }
}
