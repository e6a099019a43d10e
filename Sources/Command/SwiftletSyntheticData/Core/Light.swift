import SwiftletBase

/// The light of a scene: a lamp and the brightness of the room.
struct Light: Sendable, Hashable {
  /// The direction toward the lamp.
  let direction: Vector3
  /// The direction of highlights: halfway between lamp and viewer.
  private let halfway: Vector3
  /// The brightness of a side that the lamp doesn't reach, 0…1.
  let ambient: Float
  /// The brightness that the lamp adds.
  let strength: Float
  /// The darkness of shadows, 0…1.
  let shadowDepth: Float

  init(_ generator: inout SplitMix64) {
    direction = Vector3(generator.number(-0.9, 0.9), generator.number(0.15, 1), generator.number(0.5, 1.1)).normalized
    halfway = (direction + Vector3(0, 0, 1)).normalized
    ambient = generator.number(0.38, 0.55)
    strength = generator.number(0.55, 0.8)
    shadowDepth = generator.number(0.2, 0.6)
  }

  /// The offset of the shadow of an object of unit length.
  var shadow: Vector3 { Vector3(-direction.x, -direction.y, 0) }

  /// Returns the visible color of a surface.
  ///
  /// - Parameters:
  ///   - normal: The surface normal in the viewer's coordinates.
  ///   - openness: The share of the ambient light that reaches the surface, 0…1.
  func shade(_ tint: Tint, normal: Vector3, openness: Float, gloss: Float, sharpness: Float) -> Tint {
    let facing = larger(normal.dot(direction), 0)
    let brightness = (ambient + 0.12 * normal.y) * openness + strength * facing
    let highlight = facing > 0 && gloss > 0 ? gloss * pow(larger(normal.dot(halfway), 0), sharpness) : 0
    return Tint(
      tint.red * brightness + highlight, tint.green * brightness + highlight, tint.blue * brightness + highlight)
  }
}

/// A color with three components, 0…1 each; brighter values are clamped when the image is created.
struct Tint: Sendable, Hashable {
  var red: Float
  var green: Float
  var blue: Float

  @inline(__always) init(_ red: Float, _ green: Float, _ blue: Float) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates a color from hue (0…1, from red to red), saturation, and brightness.
  init(hue: Float, saturation: Float, brightness: Float) {
    func channel(_ shift: Float) -> Float {
      let distance = magnitude(fraction(hue + shift) * 6 - 3) - 1
      return brightness * between(1, unit(distance), saturation)
    }
    self.init(channel(0), channel(2.0 / 3), channel(1.0 / 3))
  }

  @inline(__always) func mixed(with other: Tint, _ share: Float) -> Tint {
    Tint(red + (other.red - red) * share, green + (other.green - green) * share, blue + (other.blue - blue) * share)
  }

  @inline(__always) static func * (tint: Tint, factor: Float) -> Tint {
    Tint(tint.red * factor, tint.green * factor, tint.blue * factor)
  }

  /// Returns an approximate perceptual difference between two colors: 0…3.
  func difference(from other: Tint) -> Float {
    magnitude(red - other.red) + magnitude(green - other.green) + magnitude(blue - other.blue)
  }

  static let white = Tint(1, 1, 1)
  static let black = Tint(0.04, 0.04, 0.05)

  /// The colors with distinct names, which are easy to tell apart.
  static let named: [Tint] = [
    Tint(0.86, 0.13, 0.15), Tint(0.98, 0.52, 0.08), Tint(0.98, 0.85, 0.16), Tint(0.60, 0.82, 0.18),
    Tint(0.08, 0.52, 0.22), Tint(0.10, 0.62, 0.60),
    Tint(0.36, 0.80, 0.95), Tint(0.13, 0.38, 0.88), Tint(0.11, 0.13, 0.42), Tint(0.50, 0.20, 0.72),
    Tint(0.96, 0.48, 0.70), Tint(0.45, 0.26, 0.12),
    Tint(0.95, 0.94, 0.91), Tint(0.20, 0.20, 0.22),
  ]

  /// Returns any color, more often a saturated one.
  static func any(_ generator: inout SplitMix64) -> Tint {
    if generator.happens(0.12) {
      let gray = generator.number(0.08, 0.95)
      return Tint(gray, gray, gray)
    }
    return Tint(
      hue: generator.number(0, 1), saturation: generator.number(0.35, 1), brightness: generator.number(0.3, 1))
  }

  /// Returns a paler color, for the background.
  static func quiet(_ generator: inout SplitMix64) -> Tint {
    Tint(hue: generator.number(0, 1), saturation: generator.number(0, 0.55), brightness: generator.number(0.15, 0.95))
  }
}
