/// A solid object in a scene.
package struct SceneObject: Sendable, Hashable {
  var solid: Solid
  var surface: Surface
  var rotation: Rotation
  /// The center, relative to the image's width and height, from the upper left corner.
  package var centerX: Float
  package var centerY: Float
  /// The length of the solid's unit, relative to the image's shorter side.
  package var size: Float

  package var category: ObjectCategory { solid.category }

  /// Creates an object of a category with a random appearance, oriented so that it is recognizable.
  init(_ category: ObjectCategory, unlike background: [Tint], _ generator: inout SplitMix64) {
    var first = Tint.any(&generator)
    // An object with the background's color could not be recognized.
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

/// A particular object among many, which is recognized by its shape, pattern, and colors.
struct SceneInstance: Sendable, Hashable {
  private let category: ObjectCategory
  private let surface: Surface
  private let proportion: Float

  /// Creates an instance from its number in the sequence of a seed.
  ///
  /// Any two of the first few thousand differ in shape, pattern, or a color with a name of its own.
  init(seed: UInt64, identity: Int, categories: [ObjectCategory]) {
    var order = SplitMix64(state: seed)
    let looks = Self.looks(&order)
    category = categories[identity % categories.count]
    // Neighboring numbers differ in every property. Each look occurs with every shape only over many numbers.
    let look = looks[(identity / categories.count + 59 * category.rawValue) % looks.count]
    var generator = SplitMix64(seed: seed ^ 0x5EED, part: UInt64(truncatingIfNeeded: identity))
    surface = Surface(
      pattern: look.pattern, first: Tint.named[look.first], second: Tint.named[look.second],
      frequency: generator.number(1.8, 3.2), gloss: 0, sharpness: 1)
    proportion = generator.number(0, 1)
  }

  private struct Look {
    var pattern: Surface.Pattern
    var first: Int
    var second: Int
  }

  /// Returns all distinguishable looks, in an order that depends on the seed.
  private static func looks(_ generator: inout SplitMix64) -> [Look] {
    let colors = Tint.named.indices
    var looks: [Look] = []
    for first in colors {
      looks.append(Look(pattern: .plain, first: first, second: first))
      for second in colors where second != first {
        looks += [
          Look(pattern: .striped, first: first, second: second), Look(pattern: .dotted, first: first, second: second),
        ]
        if second > first { looks.append(Look(pattern: .halved, first: first, second: second)) }
      }
    }
    return looks.shuffled(using: &generator)
  }

  /// Returns the instance with a new orientation and new highlights.
  func seen(_ generator: inout SplitMix64) -> SceneObject {
    SceneObject(category, surface, proportion: proportion, &generator)
  }
}

/// The category of an object. The raw value is the category's number in labels and models.
package enum ObjectCategory: Int, Sendable, CaseIterable {
  case ball, cube, cone, cylinder, ring, star, heart, mug

  /// The English name.
  package var name: String { "\(self)" }
}
