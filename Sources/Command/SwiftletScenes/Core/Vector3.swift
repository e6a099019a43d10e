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

/// How a thing is turned: first about its upright axis, then tipped towards the viewer, then rolled in the picture.
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
