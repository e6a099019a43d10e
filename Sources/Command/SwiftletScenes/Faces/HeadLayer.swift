/// An ellipsoid that turns with a head: the head itself, its hair, an ear, the nose, a hat.
struct HeadLayer {
  /// What a ray through a pixel meets.
  struct Hit {
    /// The place on the ellipsoid as if it were a sphere of radius 1, in the head's own directions.
    var sphere: Vector3
    /// The direction away from the surface, for the viewer.
    var normal: Vector3
    /// How much of the pixel the ellipsoid covers, 0…1.
    var share: Float
  }

  let center: Vector3
  let axes: Vector3

  private let inverse: Vector3
  private let direction: Vector3
  private let directionSquared: Float
  private let rotation: Rotation
  private let meanAxis: Float

  /// - Parameters:
  ///   - center: of the ellipsoid, in half heights of the head from its middle.
  ///   - axes: its half axes.
  init(center: Vector3, axes: Vector3, rotation: Rotation) {
    self.center = center
    self.axes = axes
    self.rotation = rotation
    inverse = Vector3(1 / axes.x, 1 / axes.y, 1 / axes.z)
    let back = rotation.turnedBack(Vector3(0, 0, 1))
    direction = Vector3(back.x * inverse.x, back.y * inverse.y, back.z * inverse.z)
    directionSquared = direction.dot(direction)
    meanAxis = smaller(axes.x, smaller(axes.y, axes.z))
  }

  /// Where the centre is for the viewer.
  var seenCenter: Vector3 { rotation.turned(center) }

  /// How far the ellipsoid reaches from its centre.
  var reach: Float { larger(axes.x, larger(axes.y, axes.z)) }

  /// - Parameters:
  ///   - x: to the right of the head's middle, in half heights of the head.
  ///   - y: above it.
  ///   - pixel: the size of a pixel in the same lengths.
  /// - Returns: `nil` where the ellipsoid is not seen.
  @inline(__always) func hit(_ x: Float, _ y: Float, pixel: Float) -> Hit? {
    let start = rotation.turnedBack(Vector3(x, y, 0)) - center
    let origin = Vector3(start.x * inverse.x, start.y * inverse.y, start.z * inverse.z)
    let along = origin.dot(direction)
    let least = origin.dot(origin) - along * along / directionSquared
    // The distance from the outline is near half of what the square lacks to 1.
    let share = unit(0.5 + (1 - least) * 0.5 * meanAxis / pixel)
    guard share > 0 else { return nil }
    let depth = larger(0, (1 - least) * directionSquared).squareRoot()
    let travelled = (depth - along) / directionSquared
    let sphere = origin + direction * travelled
    let normal = rotation.turned(Vector3(sphere.x * inverse.x, sphere.y * inverse.y, sphere.z * inverse.z).normalized)
    return Hit(sphere: sphere, normal: normal, share: share)
  }
}
