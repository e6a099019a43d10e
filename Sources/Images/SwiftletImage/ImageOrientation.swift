/// The orientation of an image: how its pixels must be rotated or mirrored to be upright.
///
/// The names are those of Apple's frameworks (`UIImage.Orientation`, `CGImagePropertyOrientation`), the raw values
/// those of the EXIF orientation tag. `right`, for example, means that the first stored row is the right edge of the
/// scene, so the pixels must be turned by 90° clockwise.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
  /// The pixels are upright as they are.
  case up = 1
  /// Mirrored: left and right are exchanged.
  case upMirrored = 2
  /// Upside down: to be turned by 180°.
  case down = 3
  /// Mirrored upside down: top and bottom are exchanged.
  case downMirrored = 4
  /// Mirrored along the diagonal from the upper left corner: rows and columns are exchanged.
  case leftMirrored = 5
  /// The first row is the right edge of the scene: to be turned by 90° clockwise.
  case right = 6
  /// Mirrored along the other diagonal.
  case rightMirrored = 7
  /// The first row is the left edge of the scene: to be turned by 90° counterclockwise.
  case left = 8

  /// A Boolean value that indicates whether the stored image is a mirror image of the scene.
  public var isMirrored: Bool {
    switch self {
    case .up, .down, .right, .left: false
    case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
    }
  }

  /// A Boolean value that indicates whether the upright image is as wide as the stored one is high.
  public var swapsWidthAndHeight: Bool {
    switch self {
    case .up, .upMirrored, .down, .downMirrored: false
    case .leftMirrored, .right, .rightMirrored, .left: true
    }
  }

  /// The orientation that undoes this one: applied to the upright image it gives the stored one.
  public var inverse: ImageOrientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self
    }
  }

  /// How far the stored pixels are turned clockwise, in quarter turns, before `isMirrored` flips them left to right.
  package var clockwiseQuarterTurns: Int {
    switch self {
    case .up, .upMirrored: 0
    case .right, .leftMirrored: 1
    case .down, .downMirrored: 2
    case .left, .rightMirrored: 3
    }
  }

  /// The rotation of a region of interest, in radians clockwise, whose content then stands upright (before mirroring).
  ///
  /// A quarter turn is given as −π/2 or π/2 and a half turn as −π, because that is what MediaPipe computes from
  /// clockwise degrees of 90, −90 and 180, and the last bit of the angle shows in the resampled bytes. For the same
  /// reason it is the float nearest to the angle; `Float.pi` is rounded towards zero instead.
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
