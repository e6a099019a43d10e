/// A position in a picture in pixels from its top left corner, x to the right and y down; not rounded, not clamped.
public struct PixelPoint: Sendable, Hashable {
  /// Pixels from the left edge.
  public var x: Float
  /// Pixels from the upper edge.
  public var y: Float

  /// A point in pixels.
  public init(x: Float, y: Float) {
    self.x = x
    self.y = y
  }

  /// The same position as a fraction of the size of the picture. Width and height must not be zero.
  public func normalized(width: Int, height: Int) -> NormalizedPoint {
    NormalizedPoint(x: x / Float(width), y: y / Float(height))
  }
}
