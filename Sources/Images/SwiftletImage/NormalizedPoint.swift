/// A position in a picture, as a fraction of its width and height: (0, 0) is the top left corner, (1, 1) the bottom
/// right one.
///
/// Values outside 0…1 are legal and mean a place beyond the edge; nothing in this library clamps them.
public struct NormalizedPoint: Sendable, Hashable {
  /// From the left edge, 1 being the width of the picture.
  public var x: Float
  /// From the upper edge, 1 being the height of the picture.
  public var y: Float

  /// A point in parts of width and height.
  public init(x: Float, y: Float) {
    self.x = x
    self.y = y
  }

  /// Whether the point lies on the picture, edges included.
  public var isInsideImage: Bool { (0...1).contains(x) && (0...1).contains(y) }

  /// The same position in pixels of a picture of the given size.
  public func inPixels(width: Int, height: Int) -> PixelPoint {
    PixelPoint(x: x * Float(width), y: y * Float(height))
  }
}
