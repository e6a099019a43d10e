#if canImport(CoreGraphics)
  public import CoreGraphics
  public import SwiftletImage

  extension NormalizedRect {
    /// Creates an upright region.
    ///
    /// - Parameter rectangle: The region as fractions of the width and height of the image, origin at the top left.
    public init(_ rectangle: CGRect) {
      let (origin, size) = (rectangle.origin, rectangle.size)
      self.init(
        left: Float(origin.x), top: Float(origin.y), right: Float(origin.x + size.width),
        bottom: Float(origin.y + size.height))
    }
  }

  extension CGRect {
    /// Creates a rectangle from a box in pixels.
    public init(_ box: PixelRect) { self.init(x: box.x, y: box.y, width: box.width, height: box.height) }
  }
#endif
