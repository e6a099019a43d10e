/// A solid thing in a scene.
package struct SceneObject: Sendable, Hashable {
  var solid: Solid
  var surface: Surface
  var rotation: Rotation
  /// The middle, as shares of the picture's width and height from its upper left corner.
  package var centerX: Float
  package var centerY: Float
  /// What is one long on the solid, as a share of the picture's shorter side.
  package var size: Float

  package var category: ObjectCategory { solid.category }

  /// An object of a kind, in any of its looks and turned so that one sees what it is.
  init(_ category: ObjectCategory, unlike background: [Tint], _ generator: inout SplitMix64) {
    var first = Tint.any(&generator)
    // What has the background's colour could not be found by anyone.
    for _ in 0..<12 where background.contains(where: { $0.difference(from: first) < 0.55 }) { first = .any(&generator) }
    var second = Tint.any(&generator)
    for _ in 0..<12 where second.difference(from: first) < 0.6 { second = .any(&generator) }
    self.init(
      category,
      Surface(
        pattern: generator.one(of: Surface.Pattern.allCases), first: first, second: second,
        frequency: generator.number(1.7, 4), gloss: 0, sharpness: 1),
      proportion: generator.number(0, 1), &generator)
  }

  init(_ category: ObjectCategory, _ surface: Surface, proportion: Float, _ generator: inout SplitMix64) {
    solid = Solid(category: category, proportion: proportion)
    self.surface = surface
    self.surface.gloss = generator.number(0.05, 0.75)
    self.surface.sharpness = generator.number(8, 60)
    rotation = Self.rotation(category, &generator)
    (centerX, centerY, size) = (0.5, 0.5, 0.4)
  }

  private static func rotation(_ category: ObjectCategory, _ generator: inout SplitMix64) -> Rotation {
    switch category {
    case .ball:
      return Rotation(
        yaw: generator.number(-3.1, 3.1), pitch: generator.number(-1.5, 1.5), roll: generator.number(-3.1, 3.1))
    case .cube:
      return Rotation(
        yaw: generator.number(-3.1, 3.1), pitch: generator.number(0.3, 0.8), roll: generator.number(-0.35, 0.35))
    case .cone, .cylinder:
      return Rotation(
        yaw: generator.number(-3.1, 3.1), pitch: generator.number(0.1, 0.65), roll: generator.number(-0.9, 0.9))
    case .ring:
      return Rotation(
        yaw: generator.number(-0.6, 0.6), pitch: generator.number(-1, 1), roll: generator.number(-3.1, 3.1))
    case .star:
      return Rotation(
        yaw: generator.number(-0.75, 0.75), pitch: generator.number(-0.6, 0.6), roll: generator.number(-3.1, 3.1))
    case .heart:
      return Rotation(
        yaw: generator.number(-0.75, 0.75), pitch: generator.number(-0.55, 0.55), roll: generator.number(-0.6, 0.6))
    case .mug:
      let turn = generator.number(-0.9, 0.9)
      return Rotation(
        yaw: generator.happens(0.5) ? turn : turn + .pi, pitch: generator.number(0.15, 0.7),
        roll: generator.number(-0.3, 0.3))
    }
  }
}
