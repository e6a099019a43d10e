import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Weighted Procrustes analysis")
struct WeightedProcrustesTests {
  private var points: [SIMD3<Double>] {
    var random = SplitMix64(state: 7)
    return (0..<12).map { _ in
      [.random(in: -3...5, using: &random), .random(in: -3...3, using: &random), .random(in: 0...4, using: &random)]
    }
  }

  @Test("rotation, scale, and translation are recovered from points")
  func motion() throws {
    var random = SplitMix64(state: 8)
    let procrustes = try #require(
      WeightedProcrustes(source: points, weights: points.indices.map { Double($0) / 10 }))
    for _ in 0..<50 {
      let rotation = NearestRotationTests.rotation(&random)
      let scale = Double.random(in: 0.01...100, using: &random)
      var target = points.map { rotation * $0 * scale + [1, -20, 300] }
      // The first point has no weight.
      target[0] = [1000, 1000, 1000]
      let found = try #require(procrustes.motion(to: target))
      #expect(abs(found.scale / scale - 1) < 1e-9)
      let difference = found.translation - [1, -20, 300]
      #expect(difference.length < 1e-7 && abs(found.rotation.x.dot(rotation.x) - 1) < 1e-9)
      #expect(abs(found.rotation.z.dot(rotation.z) - 1) < 1e-9)
    }
  }

  @Test("mirrored points give a rotation, not a reflection")
  func mirrored() throws {
    let procrustes = try #require(
      WeightedProcrustes(source: points, weights: [Double](repeating: 1, count: points.count)))
    let found = try #require(procrustes.motion(to: points.map { [-$0.x, $0.y, $0.z] }))
    #expect(abs(found.rotation.determinant - 1) < 1e-9 && found.scale < 1)
  }

  @Test("underdetermined motions return nil")
  func degenerate() throws {
    let ones = [Double](repeating: 1, count: points.count)
    #expect(WeightedProcrustes(source: points.map { _ in [1, 2, 3] }, weights: ones) == nil)
    #expect(WeightedProcrustes(source: [], weights: []) == nil)
    #expect(WeightedProcrustes(source: points, weights: [1]) == nil)
    for weight in [-1, Double.nan, .infinity] {
      #expect(WeightedProcrustes(source: points, weights: [weight] + ones.dropFirst()) == nil)
    }
    #expect(WeightedProcrustes(source: points, weights: ones.map { $0 * 1e-12 }) == nil)
    let procrustes = try #require(WeightedProcrustes(source: points, weights: ones))
    #expect(procrustes.motion(to: points.map { _ in [1, 2, 3] }) == nil)
    #expect(procrustes.motion(to: points.map { [$0.x, 0, 0] }) == nil)
    #expect(procrustes.motion(to: points.map { $0 * 1e-12 }) == nil)
    #expect(procrustes.motion(to: points.map { $0 * .nan }) == nil)
    #expect(procrustes.motion(to: points.map { $0 * 1e300 }) == nil)
    #expect(procrustes.motion(to: []) == nil)
  }
}
