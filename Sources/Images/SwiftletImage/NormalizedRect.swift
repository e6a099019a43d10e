/// A rectangle in a picture that may be turned: the region of interest of a model.
///
/// Centre and size are fractions of the width and height of the picture. The rectangle is measured in pixels before
/// it is turned, so on a picture that is not square a turned rectangle keeps its shape.
public struct NormalizedRect: Sendable, Hashable {
  /// The middle of the rectangle.
  public var center: NormalizedPoint
  /// Width before turning, as a fraction of the width of the picture.
  public var width: Float
  /// Height before turning, as a fraction of the height of the picture.
  public var height: Float
  /// How far the rectangle is turned clockwise (x to the right, y down), in radians. Its content is therefore turned
  /// counter-clockwise by as much when it is cut out.
  public var rotation: Float

  /// A rectangle in parts of width and height, turned about its middle.
  public init(center: NormalizedPoint, width: Float, height: Float, rotation: Float = 0) {
    self.center = center
    self.width = width
    self.height = height
    self.rotation = rotation
  }

  /// Makes an upright rectangle from its edges.
  public init(left: Float, top: Float, right: Float, bottom: Float) {
    self.init(
      center: NormalizedPoint(x: (left + right) / 2, y: (top + bottom) / 2), width: right - left, height: bottom - top)
  }

  /// The whole picture.
  public static let fullImage = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 1, height: 1)

  /// The same area of the stored picture, turned so that what is cut out of it stands upright.
  ///
  /// Width and height change places for the orientations that lie on a side; they are converted through pixels, in
  /// the order MediaPipe uses, because both are fractions of different lengths. Mirroring is not part of a rectangle:
  /// pass `orientation.isMirrored` along with it.
  ///
  /// - Parameters:
  ///   - orientation: how the pixels are stored.
  ///   - imageWidth: width of the stored picture in pixels.
  ///   - imageHeight: height of the stored picture in pixels.
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
