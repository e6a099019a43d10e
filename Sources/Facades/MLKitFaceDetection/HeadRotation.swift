import SwiftletImage
import SwiftletVision

/// The rotation of a head in the upright image, in degrees.
///
/// The angles describe a rotation about the horizontal axis, then about the vertical axis, then in the plane of the
/// image. In this order, a rotation of the image changes only the last angle.
struct HeadRotation: Sendable, Hashable {
  /// The rotation about the horizontal axis: positive for up.
  let x: CGFloat
  /// The rotation about the vertical axis: positive for the right of the image.
  let y: CGFloat
  /// The rotation in the plane of the image: positive for counterclockwise.
  let z: CGFloat

  /// Creates a rotation.
  ///
  /// - Parameters:
  ///   - matrix: The map from the canonical face to a camera that sees the stored image.
  ///   - orientation: The orientation of the stored image.
  /// - Returns: `nil` if the matrix determines no rotation.
  init?(_ matrix: TransformationMatrix, orientation: ImageOrientation) {
    let map = orientation.storedToUpright
    // The camera's y-axis points up, and the image's down.
    func upright(_ column: SIMD4<Float>) -> SIMD3<Float> {
      let column = SIMD3(
        map.xx * column.x - map.xy * column.y, map.yy * column.y - map.yx * column.x, column.z)
      return column / (column * column).sum().squareRoot()
    }
    let axes = matrix.columns
    let (across, up, forward) = (upright(axes.0), upright(axes.1), upright(axes.2))
    x = Self.degrees(-atan2(up.z, forward.z))
    y = Self.degrees(asin(max(-1, min(1, -across.z))))
    z = Self.degrees(atan2(across.y, across.x))
    guard x.isFinite, y.isFinite, z.isFinite else { return nil }
  }

  private static func degrees(_ radians: Float) -> CGFloat { CGFloat(radians) * 180 / .pi }
}
