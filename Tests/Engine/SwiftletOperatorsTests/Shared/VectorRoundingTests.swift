import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rounding in vectors")
struct VectorRoundingTests {
  /// Numbers of every magnitude, and numbers close to rounding boundaries.
  static let values: [Float] = {
    var generator = SplitMix64(state: 11)
    var values = (0..<20_000).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: generator.next())) }
    for whole in stride(from: Float(-6), through: 6, by: 0.5) { values += [whole, whole.nextUp, whole.nextDown] }
    values += [0, -0.0, 0.49999997, 8_388_607.5, 8_388_608, 8_388_609, -4_194_303.5, .infinity, -.infinity, .nan]
    return values
  }()

  private func expectSame(_ value: Float, _ expected: Float, _ input: Float) {
    if value.bitPattern != expected.bitPattern, !(value.isNaN && expected.isNaN) {
      Issue.record("\(input): \(value) instead of \(expected)")
    }
  }

  @Test("is bit-exact with the standard library")
  func agrees() {
    for value in Self.values {
      expectSame(value.nearestWhole, value.rounded(.toNearestOrEven), value)
      expectSame(value.wholeBelow, value.rounded(.down), value)
      expectSame(value.wholeAbove, value.rounded(.up), value)
      if abs(value) < 0x1p22 { #expect(value.roundedToNearestInteger == Int32(value.rounded(.toNearestOrEven))) }
    }
  }

  @Test("conversions saturate instead of trapping")
  func saturates() {
    #expect(Int8(saturating: 1e30) == 127)
    #expect(Int8(saturating: -1e30) == -128)
    #expect(Int32(saturating: .infinity) == .max)
    #expect(Int32(saturating: .nan) == .min)
    #expect(UInt8(saturating: -0.5) == 0)
    #expect(Int16(saturating: -3.9) == -3)
  }
}
