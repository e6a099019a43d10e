/// The shape of an object as a signed distance function: the distance of any point from its surface. It extends about
/// one unit from its center.
///
/// - Source: Distances to boxes, cones, and rings follow from elementary geometry. Ray marching by these distances: J.
///   C. Hart, "Sphere tracing" (1996).
struct Solid: Sendable, Hashable {
  let category: ObjectCategory
  /// The thickness or height of the object within its category, 0…1.
  let proportion: Float

  /// The maximum distance of any solid's point from its center.
  static let reach: Float = 1.16

  /// Returns the distance from the surface: negative inside, and never more than the true distance.
  func distance(_ point: Vector3) -> Float {
    switch category {
    case .ball: return point.dot(point).squareRoot() - 0.93
    case .cube: return cube(point)
    case .cone: return cone(length(point.x, point.z), point.y)
    case .cylinder:
      return Self.box(
        length(point.x, point.z), point.y, 0.5 + 0.15 * proportion, 0.9 - 0.25 * proportion, rounding: 0.05)
    case .ring: return length(length(point.x, point.y) - 0.72, point.z) - (0.18 + 0.14 * proportion)
    case .star: return extruded(star(point.x, point.y), point.z)
    case .heart: return extruded(heart(magnitude(point.x), point.y), point.z)
    case .mug: return mug(point)
    }
  }

  /// Returns the surface normal.
  func normal(_ point: Vector3) -> Vector3 {
    let step: Float = 0.012
    let first = distance(Vector3(point.x + step, point.y - step, point.z - step))
    let second = distance(Vector3(point.x - step, point.y - step, point.z + step))
    let third = distance(Vector3(point.x - step, point.y + step, point.z - step))
    let fourth = distance(Vector3(point.x + step, point.y + step, point.z + step))
    return Vector3(first - second - third + fourth, third - first - second + fourth, second - first - third + fourth)
      .normalized
  }

  private func cube(_ point: Vector3) -> Float {
    let half: Float = 0.58
    let x = magnitude(point.x) - half, y = magnitude(point.y) - half, z = magnitude(point.z) - half
    let outsideX = larger(x, 0), outsideY = larger(y, 0), outsideZ = larger(z, 0)
    let outside = (outsideX * outsideX + outsideY * outsideY + outsideZ * outsideZ).squareRoot()
    return outside + smaller(larger(x, larger(y, z)), 0) - 0.06
  }

  /// Returns the distance from a box in the plane; it's a cylinder if the first coordinate is the distance from the
  /// axis.
  @inline(__always) private static func box(
    _ x: Float, _ y: Float, _ halfWidth: Float, _ halfHeight: Float, rounding: Float
  ) -> Float {
    let across = magnitude(x) - halfWidth + rounding
    let along = magnitude(y) - halfHeight + rounding
    return length(larger(across, 0), larger(along, 0)) + smaller(larger(across, along), 0) - rounding
  }

  @inline(__always) private static func segment(
    _ x: Float, _ y: Float, _ fromX: Float, _ fromY: Float, _ toX: Float, _ toY: Float
  ) -> Float {
    let (alongX, alongY) = (toX - fromX, toY - fromY)
    let share = unit(((x - fromX) * alongX + (y - fromY) * alongY) / (alongX * alongX + alongY * alongY))
    return length(x - fromX - share * alongX, y - fromY - share * alongY)
  }

  private func cone(_ radius: Float, _ y: Float) -> Float {
    let (top, bottom): (Float, Float) = (0.92, -0.66)
    let base = 0.6 + 0.14 * proportion
    let distance = smaller(
      Self.segment(radius, y, 0, top, base, bottom), Self.segment(radius, y, 0, bottom, base, bottom))
    let isInside = y > bottom && radius * (top - bottom) < base * (top - y)
    return (isInside ? -distance : distance) - 0.04
  }

  private func star(_ x: Float, _ y: Float) -> Float {
    // Folded along the mirror lines of a five-pointed star, until half of one point is left.
    let (sine72, cosine72): (Float, Float) = (0.951_056_5, 0.309_017)
    let (sine36, cosine36): (Float, Float) = (0.587_785_25, 0.809_017)
    var (x, y) = (magnitude(x), y)
    var beyond = x * cosine72 - y * sine72
    if beyond > 0 { (x, y) = (x - 2 * beyond * cosine72, y + 2 * beyond * sine72) }
    x = magnitude(x)
    beyond = x * cosine36 - y * sine36
    if beyond > 0 { (x, y) = (x - 2 * beyond * cosine36, y + 2 * beyond * sine36) }
    let inner = 0.4 + 0.1 * proportion
    let (notchX, notchY) = (inner * sine36, inner * cosine36)
    let isInside = (notchX * (y - 1) - (notchY - 1) * x) < 0
    let distance = Self.segment(x, y, 0, 1, notchX, notchY)
    return isInside ? -distance : distance
  }

  private func heart(_ x: Float, _ y: Float) -> Float {
    // A square that stands on its corner, and half a disc on each of its upper edges.
    let half: Float = 0.56
    let (across, along) = ((x + y + 0.1) * 0.707_106_8, (y + 0.1 - x) * 0.707_106_8)
    return smaller(Self.box(across, along, half, half, rounding: 0.02), length(across - half, along) - half)
  }

  private func extruded(_ flat: Float, _ z: Float) -> Float {
    let along = magnitude(z) - (0.1 + 0.12 * proportion)
    return length(larger(flat, 0), larger(along, 0)) + smaller(larger(flat, along), 0) - 0.06
  }

  private func mug(_ point: Vector3) -> Float {
    let x = point.x + 0.2
    let radius = length(x, point.z)
    let (outer, half) = (0.56 + 0.08 * proportion, 0.74 - 0.1 * proportion)
    let body = Self.box(radius, point.y, outer, half, rounding: 0.06)
    let cavity = Self.box(radius, point.y - 0.16, outer - 0.1, half, rounding: 0.06)
    let handle = length(length(x - outer, point.y + 0.02) - 0.34, point.z) - 0.095
    return larger(smaller(body, handle), -cavity)
  }
}

/// The colors and the reflectivity of an object.
struct Surface: Sendable, Hashable {
  enum Pattern: Int, Sendable, CaseIterable { case plain, striped, dotted, halved }

  var pattern: Pattern
  var first: Tint
  var second: Tint
  /// The number of stripes or dots per unit length.
  var frequency: Float
  /// The brightness of highlights, 0…1, and their sharpness.
  var gloss: Float
  var sharpness: Float

  /// Returns the color at a point.
  ///
  /// - Parameters:
  ///   - normal: The surface normal.
  ///   - blur: The width of an edge of the pattern, in the object's units.
  func tint(_ point: Vector3, normal: Vector3, blur: Float) -> Tint {
    switch pattern {
    case .plain: return first
    case .halved: return first.mixed(with: second, smoothStep(-blur, blur, point.y + 0.35 * point.x))
    case .striped:
      // The first color covers more of the surface, so that stripes with swapped colors look different.
      let wave = magnitude(fraction(point.y * frequency + 0.3 * frequency * point.x) - 0.5)
      return first.mixed(with: second, smoothStep(-blur * frequency, blur * frequency, wave - 0.31))
    case .dotted:
      let (ax, ay, az) = (magnitude(normal.x), magnitude(normal.y), magnitude(normal.z))
      // Projected from the side that the surface faces most.
      let (u, v) = ax > ay && ax > az ? (point.y, point.z) : ay > az ? (point.x, point.z) : (point.x, point.y)
      let distance = length(fraction(u * frequency) - 0.5, fraction(v * frequency) - 0.5)
      return first.mixed(with: second, 1 - smoothStep(-blur * frequency, blur * frequency, distance - 0.27))
    }
  }
}
