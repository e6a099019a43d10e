/// How an object is coloured and how it shines.
struct Surface: Sendable, Hashable {
  enum Pattern: Int, Sendable, CaseIterable { case plain, striped, dotted, halved }

  var pattern: Pattern
  var first: Tint
  var second: Tint
  /// Stripes or dots in a length of one.
  var frequency: Float
  /// How bright highlights are, 0…1, and how small.
  var gloss: Float
  var sharpness: Float

  /// The colour at a point.
  ///
  /// - Parameters:
  ///   - normal: the direction away from the surface.
  ///   - blur: how wide an edge of the pattern is drawn, in the object's lengths.
  func tint(_ point: Vector3, normal: Vector3, blur: Float) -> Tint {
    switch pattern {
    case .plain: return first
    case .halved: return first.mixed(with: second, smoothStep(-blur, blur, point.y + 0.35 * point.x))
    case .striped:
      // The first colour has more of the surface, so that stripes in exchanged colours look different.
      let wave = magnitude(fraction(point.y * frequency + 0.3 * frequency * point.x) - 0.5)
      return first.mixed(with: second, smoothStep(-blur * frequency, blur * frequency, wave - 0.31))
    case .dotted:
      let (ax, ay, az) = (magnitude(normal.x), magnitude(normal.y), magnitude(normal.z))
      // Laid on from the side that the surface faces most.
      let (u, v) = ax > ay && ax > az ? (point.y, point.z) : ay > az ? (point.x, point.z) : (point.x, point.y)
      let distance = length(fraction(u * frequency) - 0.5, fraction(v * frequency) - 0.5)
      return first.mixed(with: second, 1 - smoothStep(-blur * frequency, blur * frequency, distance - 0.27))
    }
  }
}
