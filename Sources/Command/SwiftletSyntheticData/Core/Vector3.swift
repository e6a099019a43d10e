import SwiftletBase

/// A point or direction in space: x to the right, y up, z toward the viewer.
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

  /// The direction as a unit vector. A zero vector points to the viewer.
  var normalized: Vector3 {
    let length = dot(self).squareRoot()
    return length > 0 ? self * (1 / length) : Vector3(0, 0, 1)
  }
}

/// The orientation of an object: first yaw about its vertical axis, then pitch toward the viewer, then roll in the
/// image.
struct Rotation: Sendable, Hashable {
  private let rowX: Vector3
  private let rowY: Vector3
  private let rowZ: Vector3

  /// Creates a rotation.
  ///
  /// - Parameters:
  ///   - yaw: In radians; positive turns the side that faces the viewer to the right.
  ///   - pitch: In radians; positive tips the top toward the viewer.
  ///   - roll: In radians, counterclockwise.
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

  /// Returns a point of the object in the viewer's coordinates.
  @inline(__always) func turned(_ point: Vector3) -> Vector3 {
    Vector3(rowX.dot(point), rowY.dot(point), rowZ.dot(point))
  }

  /// Returns a point in the viewer's coordinates in the object's coordinates.
  @inline(__always) func turnedBack(_ point: Vector3) -> Vector3 { rowX * point.x + rowY * point.y + rowZ * point.z }
}

// Plain functions of one concrete type: the generic ones of the standard library are many times slower in unoptimized
// builds, in which tests render images.

@inline(__always) func larger(_ first: Float, _ second: Float) -> Float { first > second ? first : second }
@inline(__always) func smaller(_ first: Float, _ second: Float) -> Float { first < second ? first : second }
@inline(__always) func magnitude(_ value: Float) -> Float { value < 0 ? -value : value }
@inline(__always) func unit(_ value: Float) -> Float { value < 0 ? 0 : value > 1 ? 1 : value }
@inline(__always) func length(_ first: Float, _ second: Float) -> Float {
  (first * first + second * second).squareRoot()
}

/// Returns 0 up to `lower`, 1 from `upper`, and a smooth step between them.
@inline(__always) func smoothStep(_ lower: Float, _ upper: Float, _ value: Float) -> Float {
  let share = unit((value - lower) / (upper - lower))
  return share * share * (3 - 2 * share)
}

/// Interpolates from `first` at 0 to `second` at 1.
@inline(__always) func between(_ first: Float, _ second: Float, _ share: Float) -> Float {
  first + (second - first) * share
}

/// Returns the fractional part: the number minus the largest integer below it.
@inline(__always) func fraction(_ value: Float) -> Float { value - wholeBelow(value) }

@inline(__always) func wholeBelow(_ value: Float) -> Float {
  let cut = Float(Int32(value))
  return cut > value ? cut - 1 : cut
}

/// A small seeded generator, so that a failing case can be reproduced.
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
  /// Creates a generator for part `number` of a sequence of independent generators for `seed`.
  package init(seed: UInt64, part number: UInt64) {
    var outer = SplitMix64(state: seed)
    var inner = SplitMix64(state: outer.next() ^ (number &* 0xD134_2543_DE82_EF95))
    self.init(state: inner.next())
  }

  /// Returns a number from `lower` to `upper`.
  mutating func number(_ lower: Float, _ upper: Float) -> Float {
    lower + (upper - lower) * Float(next() >> 40) * 0x1p-24
  }

  /// Returns a uniformly distributed integer of a range.
  mutating func whole(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// Returns true with the given probability.
  mutating func happens(_ share: Float) -> Bool { number(0, 1) < share }

  /// Returns a random sign, as -1 or 1.
  mutating func sign() -> Float { next() & 1 == 0 ? 1 : -1 }

  /// Returns one of several values.
  ///
  /// - Precondition: There is at least one.
  mutating func one<Value>(of values: [Value]) -> Value { values[whole(0...values.count - 1)] }
}
