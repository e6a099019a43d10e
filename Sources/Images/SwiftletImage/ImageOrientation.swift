/// The orientation of an image: the rotation and mirroring that make its pixels upright.
///
/// The case names are those of Apple's frameworks (`UIImage.Orientation`, `CGImagePropertyOrientation`), and the raw
/// values are those of the EXIF orientation tag. For example, `right` means that the first stored row is the right edge
/// of the scene, so the pixels must be rotated 90° clockwise.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
  /// The stored pixels are upright.
  case up = 1
  /// Mirrored: left and right are swapped.
  case upMirrored = 2
  /// Upside down: must be rotated 180°.
  case down = 3
  /// Mirrored upside down: top and bottom are swapped.
  case downMirrored = 4
  /// Mirrored along the diagonal from the upper-left corner: rows and columns are swapped.
  case leftMirrored = 5
  /// The first row is the right edge of the scene: must be rotated 90° clockwise.
  case right = 6
  /// Mirrored along the diagonal from the upper-right corner.
  case rightMirrored = 7
  /// The first row is the left edge of the scene: must be rotated 90° counterclockwise.
  case left = 8

  /// A Boolean value that indicates whether the stored image is a mirror image of the scene.
  public var isMirrored: Bool {
    switch self {
    case .up, .down, .right, .left: false
    case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
    }
  }

  /// A Boolean value that indicates whether the upright image has the width and height of the stored image swapped.
  public var swapsWidthAndHeight: Bool {
    switch self {
    case .up, .upMirrored, .down, .downMirrored: false
    case .leftMirrored, .right, .rightMirrored, .left: true
    }
  }

  /// The inverse orientation: applied to the upright image, it returns the stored image.
  public var inverse: ImageOrientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self
    }
  }

  /// The clockwise rotation to apply to the stored pixels, in quarter turns, before `isMirrored` flips them left to
  /// right.
  package var clockwiseQuarterTurns: Int {
    switch self {
    case .up, .upMirrored: 0
    case .right, .leftMirrored: 1
    case .down, .downMirrored: 2
    case .left, .rightMirrored: 3
    }
  }

  /// The clockwise rotation, in radians, of a region of interest whose content is then upright (before mirroring).
  ///
  /// Quarter turns are −π/2 or π/2, and a half turn is −π. MediaPipe computes these values from clockwise degrees of
  /// 90, −90, and 180, and the last bit of the angle affects the resampled bytes. For the same reason, the angle is
  /// rounded to the nearest float, whereas `Float.pi` is rounded toward zero.
  public var regionRotation: Float {
    switch clockwiseQuarterTurns {
    case 1: Float(-Double.pi / 2)
    case 2: Float(-Double.pi)
    case 3: Float(Double.pi / 2)
    default: 0
    }
  }

  /// The map from the upright image to the stored one, both in normalized coordinates.
  public var uprightToStored: ImageProjection {
    switch self {
    case .up: ImageProjection(xx: 1, xy: 0, x0: 0, yx: 0, yy: 1, y0: 0)
    case .upMirrored: ImageProjection(xx: -1, xy: 0, x0: 1, yx: 0, yy: 1, y0: 0)
    case .down: ImageProjection(xx: -1, xy: 0, x0: 1, yx: 0, yy: -1, y0: 1)
    case .downMirrored: ImageProjection(xx: 1, xy: 0, x0: 0, yx: 0, yy: -1, y0: 1)
    case .leftMirrored: ImageProjection(xx: 0, xy: 1, x0: 0, yx: 1, yy: 0, y0: 0)
    case .right: ImageProjection(xx: 0, xy: 1, x0: 0, yx: -1, yy: 0, y0: 1)
    case .rightMirrored: ImageProjection(xx: 0, xy: -1, x0: 1, yx: -1, yy: 0, y0: 1)
    case .left: ImageProjection(xx: 0, xy: -1, x0: 1, yx: 1, yy: 0, y0: 0)
    }
  }

  /// The map from the stored image to the upright one, both in normalized coordinates.
  public var storedToUpright: ImageProjection { inverse.uprightToStored }
}
