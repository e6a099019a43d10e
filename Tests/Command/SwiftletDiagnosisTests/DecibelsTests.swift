import Testing

@testable import SwiftletDiagnosis

@Suite("Decibels")
struct DecibelsTests {
  @Test(
    "are ten times the logarithm of the ratio, and infinite without noise or signal",
    arguments: [
      (100.0, 1.0, 20.0), (1, 1000, -30), (5, 5, 0), (1, 0, .infinity), (0, 0, .infinity), (0, 1, -.infinity),
    ])
  func ratio(signal: Double, noise: Double, expected: Double) {
    let found = Decibels.ratio(signal, noise)
    #expect(found == expected || abs(found - expected) < 1e-12)
  }
}
