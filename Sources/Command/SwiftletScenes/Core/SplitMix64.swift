/// A small seeded generator, so that a failing case can be run again.
///
/// - Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SplitMix64 {
  /// A generator for part `number` of what `seed` stands for; neighbouring numbers have nothing in common.
  package init(seed: UInt64, part number: UInt64) {
    var outer = SplitMix64(state: seed)
    var inner = SplitMix64(state: outer.next() ^ (number &* 0xD134_2543_DE82_EF95))
    self.init(state: inner.next())
  }

  /// A number from `lower` up to `upper`.
  mutating func number(_ lower: Float, _ upper: Float) -> Float {
    lower + (upper - lower) * Float(next() >> 40) * 0x1p-24
  }

  /// A whole number of a range, each as likely as the others.
  mutating func whole(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// Whether something happens that happens in this share of cases.
  mutating func happens(_ share: Float) -> Bool { number(0, 1) < share }

  /// Either of the two signs.
  mutating func sign() -> Float { next() & 1 == 0 ? 1 : -1 }

  /// One of several values.
  ///
  /// - Precondition: there is one.
  mutating func one<Value>(of values: [Value]) -> Value { values[whole(0...values.count - 1)] }
}
