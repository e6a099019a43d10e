/// One certain object of many, which is known again by its shape, pattern and colours.
struct SceneInstance: Sendable, Hashable {
  private let category: ObjectCategory
  private let surface: Surface
  private let proportion: Float

  /// The instance of this number of those that a seed stands for.
  ///
  /// Any two of the first few thousand differ in shape, pattern or a colour that has a name of its own.
  init(seed: UInt64, identity: Int, categories: [ObjectCategory]) {
    var order = SplitMix64(state: seed)
    let looks = Self.looks(&order)
    category = categories[identity % categories.count]
    // Neighbouring numbers differ in every property; only over many numbers does one look occur with every shape.
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

  /// All that can be told apart, in an order that a seed decides.
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

  /// The instance, turned and lit anew.
  func seen(_ generator: inout SplitMix64) -> SceneObject {
    SceneObject(category, surface, proportion: proportion, &generator)
  }
}
