/// A rectangle in an image, optionally rotated: the region of interest of a model.
///
/// Center and size are relative to the width and height of the image. The size applies before the rotation, in pixels,
/// so a rotated rectangle keeps its shape in any image.
public struct NormalizedRect: Sendable, Hashable {
  /// The center of the rectangle.
  public var center: NormalizedPoint
  /// The width before rotation, relative to the width of the image.
  public var width: Float
  /// The height before rotation, relative to the height of the image.
  public var height: Float
  /// The clockwise rotation of the rectangle in radians, with x to the right and y down. Cropping rotates the content
  /// counterclockwise by the same angle.
  public var rotation: Float

  /// Creates a rectangle in normalized coordinates, rotated about its center.
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

  /// Returns the same area of the stored image, rotated so that the cropped content is upright.
  ///
  /// Width and height are swapped for orientations with a quarter turn. They are converted through pixels, in
  /// MediaPipe's order, because they are relative to different lengths. A rectangle has no mirroring: pass
  /// `orientation.isMirrored` separately.
  ///
  /// - Parameters:
  ///   - orientation: The orientation of the stored pixels.
  ///   - imageWidth: The width of the stored image in pixels.
  ///   - imageHeight: The height of the stored image in pixels.
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

/// A position in an image, relative to its width and height: (0, 0) is the upper-left corner, and (1, 1) is the
/// lower-right corner.
///
/// Values outside 0…1 are valid and mean a position outside the image. The library never clamps them.
public struct NormalizedPoint: Sendable, Hashable {
  /// The distance from the left edge, relative to the image width.
  public var x: Float
  /// The distance from the top edge, relative to the image height.
  public var y: Float

  /// Creates a point in normalized coordinates.
  public init(x: Float, y: Float) {
    self.x = x
    self.y = y
  }

  /// A Boolean value that indicates whether the point is inside the image, including its edges.
  public var isInsideImage: Bool { (0...1).contains(x) && (0...1).contains(y) }

  /// Returns the position in pixels of an image of the given size.
  public func inPixels(width: Int, height: Int) -> PixelPoint {
    PixelPoint(x: x * Float(width), y: y * Float(height))
  }
}

/// A position in image pixels from the upper-left corner, with x to the right and y down, neither rounded nor clamped.
public struct PixelPoint: Sendable, Hashable {
  /// The distance from the left edge in pixels.
  public var x: Float
  /// The distance from the top edge in pixels.
  public var y: Float

  /// Creates a point in pixels.
  public init(x: Float, y: Float) {
    self.x = x
    self.y = y
  }

  /// Returns the position relative to the image size. Width and height must not be zero.
  public func normalized(width: Int, height: Int) -> NormalizedPoint {
    NormalizedPoint(x: x / Float(width), y: y / Float(height))
  }
}
