/// An upright box in an image, by its top left corner and its size; x to the right, y down.
///
/// What the numbers count is for the user to say: pixels, or fractions of the image's width and height. Edges lie
/// between pixels: a box of the whole image has the origin (0, 0) and the image's width and height.
///
/// Every declaration is inlinable, so that the compiler makes code of its own for boxes of `Float` and of `Double` in
/// each module.
public struct UprightBox<Number: BinaryFloatingPoint & Sendable>: Sendable, Hashable {
  /// The left edge.
  public var x: Number
  /// The top edge.
  public var y: Number
  /// The width.
  public var width: Number
  /// The height.
  public var height: Number

  /// Creates a box of this place and size.
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

  /// The middle of the box.
  @inlinable
  public var center: (x: Number, y: Number) { (x + width / 2, y + height / 2) }

  /// Width times height; 0 for a box without a width or a height.
  @inlinable
  public var area: Number { width > 0 && height > 0 ? width * height : 0 }

  /// A Boolean value that indicates whether all numbers are finite, the right and bottom edge too, and both sides
  /// longer than nothing.
  @inlinable
  public var isUsable: Bool {
    width > 0 && height > 0 && x.isFinite && y.isFinite && right.isFinite && bottom.isFinite
  }

  /// How far two boxes overlap across and down; not above 0 where they do not. Means something for usable boxes only.
  @inlinable
  func overlap(with other: UprightBox) -> (width: Number, height: Number) {
    (min(right, other.right) - max(x, other.x), min(bottom, other.bottom) - max(y, other.y))
  }

  /// Returns the shared part of two boxes; of zero width and height when they share nothing, as boxes that only touch.
  @inlinable
  public func intersection(with other: UprightBox) -> UprightBox {
    // Comparing what is not a number would make the result depend on the order of the boxes.
    guard isUsable, other.isUsable else { return UprightBox(x: 0, y: 0, width: 0, height: 0) }
    let shared = overlap(with: other)
    let overlaps = shared.width > 0 && shared.height > 0
    return UprightBox(
      x: max(x, other.x), y: max(y, other.y), width: overlaps ? shared.width : 0, height: overlaps ? shared.height : 0)
  }

  /// Shared area over united area, 0…1; 0 for boxes that do not overlap, that have no area, or that are not made of
  /// numbers.
  ///
  /// - Source: the rule of MediaPipe's non-maximum suppression, where equal boxes give exactly 1.
  @inlinable
  public func intersectionOverUnion(with other: UprightBox) -> Number {
    let overlap = overlap(with: other)
    // Most pairs lie apart, so that is asked first.
    guard overlap.width > 0, overlap.height > 0, isUsable, other.isUsable else { return 0 }
    let shared = overlap.width * overlap.height
    let ratio = shared / (spannedArea + other.spannedArea - shared)
    // Areas may be too large to count.
    return ratio >= 0 ? min(ratio, 1) : 0
  }

  /// The area between the edges, which are rounded: in the last bit not that of width and height.
  @inlinable
  var spannedArea: Number { (right - x) * (bottom - y) }
}

extension UprightBox: CustomStringConvertible {
  /// The place and size of the box, such as `(x: 12.0, y: 34.0, width: 56.0, height: 78.0)`.
  public var description: String { "(x: \(x), y: \(y), width: \(width), height: \(height))" }
}
