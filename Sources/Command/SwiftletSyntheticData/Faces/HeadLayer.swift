/// An ellipsoid that rotates with a head: the head itself, its hair, an ear, the nose, or a hat.
struct HeadLayer {
  /// The intersection of an ellipsoid with a ray through a pixel.
  struct Hit {
    /// The point on the ellipsoid, mapped to the unit sphere in the head's own axes.
    var sphere: Vector3
    /// The surface normal in the viewer's coordinates.
    var normal: Vector3
    /// The share of the pixel that the ellipsoid covers, 0…1.
    var share: Float
  }

  let center: Vector3
  let axes: Vector3

  private let inverse: Vector3
  private let direction: Vector3
  private let directionSquared: Float
  private let rotation: Rotation
  private let meanAxis: Float

  /// Creates a layer.
  ///
  /// - Parameters:
  ///   - center: The center, relative to the head's center, in half heights of the head.
  ///   - axes: The half axes, in half heights of the head.
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

  /// The center in the viewer's coordinates.
  var seenCenter: Vector3 { rotation.turned(center) }

  /// The maximum distance of the ellipsoid's surface from its center.
  var reach: Float { larger(axes.x, larger(axes.y, axes.z)) }

  /// Returns the intersection with the ray through a pixel.
  ///
  /// - Parameters:
  ///   - x: The distance to the right of the head's center, in half heights of the head.
  ///   - y: The distance above it.
  ///   - pixel: The size of a pixel in the same unit.
  /// - Returns: `nil` if the ray misses the ellipsoid.
  @inline(__always) func hit(_ x: Float, _ y: Float, pixel: Float) -> Hit? {
    let start = rotation.turnedBack(Vector3(x, y, 0)) - center
    let origin = Vector3(start.x * inverse.x, start.y * inverse.y, start.z * inverse.z)
    let along = origin.dot(direction)
    let least = origin.dot(origin) - along * along / directionSquared
    // The distance from the outline is approximately half of the difference between the square and 1.
    let share = unit(0.5 + (1 - least) * 0.5 * meanAxis / pixel)
    guard share > 0 else { return nil }
    let depth = larger(0, (1 - least) * directionSquared).squareRoot()
    let travelled = (depth - along) / directionSquared
    let sphere = origin + direction * travelled
    let normal = rotation.turned(Vector3(sphere.x * inverse.x, sphere.y * inverse.y, sphere.z * inverse.z).normalized)
    return Hit(sphere: sphere, normal: normal, share: share)
  }
}

/// A round shape with marks that isn't a face: a disc, a dial, a fruit, or unordered dots.
struct FaceDecoy: Sendable, Hashable {
  private let centerX: Float
  private let centerY: Float
  private let size: Float
  private let tint: Tint
  private let mark: Tint
  private let stretch: Float
  private let rotation: Rotation
  private let marks: [Mark]

  private struct Mark: Sendable, Hashable {
    var x: Float
    var y: Float
    var halfWidth: Float
    var halfHeight: Float
  }

  init(_ generator: inout SplitMix64) {
    centerX = generator.number(0.05, 0.95)
    centerY = generator.number(0.05, 0.95)
    size = generator.number(0.06, 0.3)
    tint =
      generator.happens(0.5)
      ? Tint(0.86, 0.66, 0.50).mixed(with: Tint(0.5, 0.33, 0.24), generator.number(-0.3, 1)) : .any(&generator)
    mark = generator.happens(0.6) ? .black : .any(&generator)
    stretch = generator.number(0.7, 1.2)
    rotation = Rotation(yaw: 0, pitch: 0, roll: generator.number(-3.1, 3.1))
    var marks: [Mark] = []
    switch generator.whole(0...3) {
    case 0: break
    case 1:
      // A dial with two hands.
      marks = [
        Mark(x: 0, y: 0.3, halfWidth: 0.05, halfHeight: 0.35), Mark(x: 0.2, y: 0, halfWidth: 0.25, halfHeight: 0.06),
      ]
    case 2:
      // A single eye or mouth, as in a face whose other parts are missing.
      marks = [
        Mark(
          x: generator.number(-0.5, 0.5), y: generator.number(-0.5, 0.5), halfWidth: generator.number(0.12, 0.3),
          halfHeight: 0.08)
      ]
    default:
      for _ in 0..<generator.whole(4...9) {
        let half = generator.number(0.04, 0.12)
        marks.append(
          Mark(x: generator.number(-0.8, 0.8), y: generator.number(-0.8, 0.8), halfWidth: half, halfHeight: half))
      }
    }
    self.marks = marks
  }

  func paint(_ light: Light, on raster: inout Raster) {
    let scale = size * raster.side
    let layer = HeadLayer(center: Vector3(0, 0, 0), axes: Vector3(stretch, 1, 0.9), rotation: rotation)
    let (width, height) = (raster.width, raster.height)
    Raster.forEachPixel(
      around: centerX * Float(width), centerY * Float(height), reach: layer.reach * scale + 1, width: width,
      height: height
    ) { column, row, right, up in
      guard let hit = layer.hit(right / scale, up / scale, pixel: 1 / scale) else { return }
      var share: Float = 0
      for mark in marks {
        let distance = length((hit.sphere.x - mark.x) / mark.halfWidth, (hit.sphere.y - mark.y) / mark.halfHeight)
        share = larger(share, 1 - smoothStep(0.8, 1.1, distance))
      }
      let tint = tint.mixed(with: mark, share)
      raster.blend(
        column, row, light.shade(tint, normal: hit.normal, openness: 1, gloss: 0.1, sharpness: 12), hit.share)
    }
  }
}
