/// A rectangle in an image that may be turned: the region of interest of a model.
///
/// Center and size are fractions of the width and height of the image. The rectangle is measured in pixels before
/// it is turned, so on an image that is not square a turned rectangle keeps its shape.
public struct NormalizedRect: Sendable, Hashable {
  /// The middle of the rectangle.
  public var center: NormalizedPoint
  /// Width before turning, as a fraction of the width of the image.
  public var width: Float
  /// Height before turning, as a fraction of the height of the image.
  public var height: Float
  /// The rotation of the rectangle clockwise (x to the right, y down), in radians. Its content is therefore turned
  /// counter-clockwise by as much when it is cut out.
  public var rotation: Float

  /// Creates a rectangle in parts of width and height, turned about its middle.
  public init(center: NormalizedPoint, width: Float, height: Float, rotation: Float = 0) {
    self.center = center
    self.width = width
    self.height = height
    self.rotation = rotation
  }

  /// Creates an upright rectangle from its edges.
  public init(left: Float, top: Float, right: Float, bottom: Float) {
    self.init(
      center: NormalizedPoint(x: (left + right) / 2, y: (top + bottom) / 2), width: right - left, height: bottom - top)
  }

  /// The whole image.
  public static let fullImage = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 1, height: 1)

  /// Returns the same area of the stored image, turned so that what is cut out of it stands upright.
  ///
  /// Width and height change places for the orientations that lie on a side; they are converted through pixels, in
  /// the order MediaPipe uses, because both are fractions of different lengths. Mirroring is not part of a rectangle:
  /// pass `orientation.isMirrored` along with it.
  ///
  /// - Parameters:
  ///   - orientation: How the pixels are stored.
  ///   - imageWidth: Width of the stored image in pixels.
  ///   - imageHeight: Height of the stored image in pixels.
  public func turnedUpright(_ orientation: ImageOrientation, imageWidth: Int, imageHeight: Int) -> NormalizedRect {
    var turned = self
    turned.rotation = rotation + orientation.regionRotation
    if orientation.swapsWidthAndHeight {
      turned.width = height * Float(imageHeight) / Float(imageWidth)
      turned.height = width * Float(imageWidth) / Float(imageHeight)
    }
    return turned
  }
}

/// A position in an image, as a fraction of its width and height: (0, 0) is the top left corner, (1, 1) the bottom
/// right one.
///
/// Values outside 0…1 are legal and mean a place beyond the edge; nothing in this library clamps them.
public struct NormalizedPoint: Sendable, Hashable {
  /// From the left edge, 1 being the width of the image.
  public var x: Float
  /// From the upper edge, 1 being the height of the image.
  public var y: Float

  /// Creates a point in parts of width and height.
  public init(x: Float, y: Float) {
    self.x = x
    self.y = y
  }

  /// A Boolean value that indicates whether the point lies on the image, edges included.
  public var isInsideImage: Bool { (0...1).contains(x) && (0...1).contains(y) }

  /// Returns the same position in pixels of an image of the given size.
  public func inPixels(width: Int, height: Int) -> PixelPoint {
    PixelPoint(x: x * Float(width), y: y * Float(height))
  }
}

/// A position in an image in pixels from its top left corner, x to the right and y down; not rounded, not clamped.
public struct PixelPoint: Sendable, Hashable {
  /// Pixels from the left edge.
  public var x: Float
  /// Pixels from the upper edge.
  public var y: Float

  /// Creates a point in pixels.
  public init(x: Float, y: Float) {
    self.x = x
    self.y = y
  }

  /// Returns the same position as a fraction of the size of the image. Width and height must not be zero.
  public func normalized(width: Int, height: Int) -> NormalizedPoint {
    NormalizedPoint(x: x / Float(width), y: y / Float(height))
  }
}
