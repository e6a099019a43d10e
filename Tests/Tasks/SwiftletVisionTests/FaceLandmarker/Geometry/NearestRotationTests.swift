import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Nearest rotations")
struct NearestRotationTests {
  /// Returns a rotation about a random axis by a random angle.
  static func rotation(_ random: inout SplitMix64) -> Matrix3 {
    // A unit quaternion, whose sign doesn't matter.
    var q = SIMD4<Double>.zero
    repeat { for index in 0..<4 { q[index] = Double.random(in: -1...1, using: &random) } } while (q * q).sum() < 0.01
    q /= (q * q).sum().squareRoot()
    let (w, x, y, z) = (q.x, q.y, q.z, q.w)
    return Matrix3(
      x: [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
      y: [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
      z: [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
  }

  /// Returns a matrix that stretches along random axes.
  private func stretch(_ factors: SIMD3<Double>, _ random: inout SplitMix64) -> Matrix3 {
    let axes = Self.rotation(&random)
    let scaled = Matrix3(x: axes.x * factors.x, y: axes.y * factors.y, z: axes.z * factors.z)
    return scaled * axes.transposed
  }

  private func distance(_ one: Matrix3?, _ other: Matrix3) -> Double {
    guard let one else { return .infinity }
    return Matrix3(x: one.x - other.x, y: one.y - other.y, z: one.z - other.z).norm
  }

  private func trace(_ rotation: Matrix3, _ matrix: Matrix3) -> Double {
    rotation.x.dot(matrix.x) + rotation.y.dot(matrix.y) + rotation.z.dot(matrix.z)
  }

  @Test("a stretched rotation gives the rotation, for any stretch and size")
  func stretched() {
    var random = SplitMix64(state: 1)
    for factors: SIMD3<Double> in [[1, 1, 1], [3, 2, 1], [1, 1, 1e-6], [5, 5, 0], [1e-4, 1, 1e4], [2, 2, 1]] {
      for size in [1, 1e-60, 1e60] {
        for _ in 0..<50 {
          let rotation = Self.rotation(&random)
          let matrix = rotation * stretch(factors * size, &random)
          #expect(distance(matrix.nearestRotation, rotation) < 1e-6, "\(factors), \(size)")
        }
      }
    }
  }

  @Test("a reflection gives the nearest rotation")
  func reflections() throws {
    var random = SplitMix64(state: 2)
    for _ in 0..<50 {
      let matrix = Self.rotation(&random) * stretch([3, 2, -1], &random)
      #expect(matrix.determinant < 0)
      let nearest = try #require(matrix.nearestRotation)
      #expect(abs(nearest.determinant - 1) < 1e-12)
      #expect(distance(nearest * nearest.transposed, .identity) < 1e-12)
      // 3 + 2 − 1.
      #expect(abs(trace(nearest, matrix) - 4) < 1e-9)
      for _ in 0..<20 { #expect(trace(Self.rotation(&random), matrix) < 4 + 1e-9) }
    }
  }

  @Test("a matrix that determines no rotation gives none")
  func degenerate() {
    var random = SplitMix64(state: 4)
    for factors: SIMD3<Double> in [[1, 0, 0], [0, 0, 0], [1, 1e-12, 0]] {
      #expect((Self.rotation(&random) * stretch(factors, &random)).nearestRotation == nil)
    }
    for number in [Double.nan, .infinity, -.infinity, 1e200] {
      var matrix = Matrix3.identity
      matrix.y.z = number
      #expect(matrix.nearestRotation == nil)
    }
  }
}
