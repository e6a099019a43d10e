import SwiftletBase

/// The light of a scene: a lamp and the brightness of the room.
struct Light: Sendable, Hashable {
  /// Where the lamp is.
  let direction: Vector3
  /// The direction in which highlights are seen: halfway between lamp and viewer.
  private let halfway: Vector3
  /// How bright a side is that the lamp does not reach, 0…1.
  let ambient: Float
  /// What the lamp adds.
  let strength: Float
  /// How dark shadows are, 0…1.
  let shadowDepth: Float

  init(_ generator: inout SplitMix64) {
    direction = Vector3(generator.number(-0.9, 0.9), generator.number(0.15, 1), generator.number(0.5, 1.1)).normalized
    halfway = (direction + Vector3(0, 0, 1)).normalized
    ambient = generator.number(0.38, 0.55)
    strength = generator.number(0.55, 0.8)
    shadowDepth = generator.number(0.2, 0.6)
  }

  /// Where shadows fall, for a thing that is one long.
  var shadow: Vector3 { Vector3(-direction.x, -direction.y, 0) }

  /// The colour of a surface as it is seen.
  ///
  /// - Parameters:
  ///   - normal: the direction away from the surface, for the viewer.
  ///   - openness: how much of the room's light comes there, 0…1.
  func shade(_ tint: Tint, normal: Vector3, openness: Float, gloss: Float, sharpness: Float) -> Tint {
    let facing = larger(normal.dot(direction), 0)
    let brightness = (ambient + 0.12 * normal.y) * openness + strength * facing
    let highlight = facing > 0 && gloss > 0 ? gloss * pow(larger(normal.dot(halfway), 0), sharpness) : 0
    return Tint(
      tint.red * brightness + highlight, tint.green * brightness + highlight, tint.blue * brightness + highlight)
  }
}
