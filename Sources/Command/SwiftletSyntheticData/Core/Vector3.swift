import SwiftletBase

/// A point or direction in space: x to the right, y up, z towards the viewer.
struct Vector3: Sendable, Hashable {
  var x: Float
  var y: Float
  var z: Float

  @inline(__always) init(_ x: Float, _ y: Float, _ z: Float) {
    self.x = x
    self.y = y
    self.z = z
  }

  @inline(__always) static func + (first: Vector3, second: Vector3) -> Vector3 {
    Vector3(first.x + second.x, first.y + second.y, first.z + second.z)
  }

  @inline(__always) static func - (first: Vector3, second: Vector3) -> Vector3 {
    Vector3(first.x - second.x, first.y - second.y, first.z - second.z)
  }

  @inline(__always) static func * (vector: Vector3, factor: Float) -> Vector3 {
    Vector3(vector.x * factor, vector.y * factor, vector.z * factor)
  }

  @inline(__always) func dot(_ other: Vector3) -> Float { x * other.x + y * other.y + z * other.z }

  /// The direction, one long. A vector of zeros points to the viewer.
  var normalized: Vector3 {
    let length = dot(self).squareRoot()
    return length > 0 ? self * (1 / length) : Vector3(0, 0, 1)
  }
}

/// How a thing is turned: first about its upright axis, then tipped towards the viewer, then rolled in the image.
struct Rotation: Sendable, Hashable {
  private let rowX: Vector3
  private let rowY: Vector3
  private let rowZ: Vector3

  /// - Parameters:
  ///   - yaw: radians; the side that faces the viewer turns to the right.
  ///   - pitch: radians; the top comes towards the viewer.
  ///   - roll: radians, counter-clockwise.
  init(yaw: Float, pitch: Float, roll: Float) {
    let (sy, cy) = (sin(yaw), cos(yaw))
    let (sp, cp) = (sin(pitch), cos(pitch))
    let (sr, cr) = (sin(roll), cos(roll))
    // roll · pitch · yaw
    let first = Vector3(cy, 0, sy)
    let second = Vector3(sp * sy, cp, -sp * cy)
    rowX = first * cr - second * sr
    rowY = first * sr + second * cr
    rowZ = Vector3(-cp * sy, sp, cp * cy)
  }

  /// Where a point of the thing is for the viewer.
  @inline(__always) func turned(_ point: Vector3) -> Vector3 {
    Vector3(rowX.dot(point), rowY.dot(point), rowZ.dot(point))
  }

  /// Where a point that the viewer sees is on the thing.
  @inline(__always) func turnedBack(_ point: Vector3) -> Vector3 { rowX * point.x + rowY * point.y + rowZ * point.z }
}

// Plain functions of one concrete type: the generic ones of the standard library are many times slower in builds that
// are not optimized, and tests draw images in such builds.

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
  /// Creates a generator for part `number` of what `seed` stands for; neighboring numbers have nothing in common.
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
