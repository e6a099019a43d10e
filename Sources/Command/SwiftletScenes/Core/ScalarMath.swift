// Plain functions of one concrete type: the generic ones of the standard library are many times slower in builds that
// are not optimised, and tests draw pictures in such builds.

@inline(__always) func larger(_ first: Float, _ second: Float) -> Float { first > second ? first : second }
@inline(__always) func smaller(_ first: Float, _ second: Float) -> Float { first < second ? first : second }
@inline(__always) func magnitude(_ value: Float) -> Float { value < 0 ? -value : value }
@inline(__always) func unit(_ value: Float) -> Float { value < 0 ? 0 : value > 1 ? 1 : value }
@inline(__always) func length(_ first: Float, _ second: Float) -> Float {
  (first * first + second * second).squareRoot()
}

/// 0 up to `lower`, 1 from `upper`, and a smooth step between them.
@inline(__always) func smoothStep(_ lower: Float, _ upper: Float, _ value: Float) -> Float {
  let share = unit((value - lower) / (upper - lower))
  return share * share * (3 - 2 * share)
}

/// From `first` for 0 to `second` for 1.
@inline(__always) func between(_ first: Float, _ second: Float, _ share: Float) -> Float {
  first + (second - first) * share
}

/// What is left of a number after the whole number below it.
@inline(__always) func fraction(_ value: Float) -> Float { value - wholeBelow(value) }

@inline(__always) func wholeBelow(_ value: Float) -> Float {
  let cut = Float(Int32(value))
  return cut > value ? cut - 1 : cut
}
