import Testing

@testable import SwiftletAudio

@Suite("Resampling ratio")
struct ResamplingRatioTests {
  @Test(
    "is the closest fraction with a small denominator",
    arguments: [
      (44_100, 16_000, 441, 160), (22_050, 16_000, 441, 320), (8000, 16_000, 1, 2), (48_000, 16_000, 3, 1),
      (15_984, 16_000, 999, 1000), (62.5, 16_000, 1, 256), (65_536_000, 16_000, 4096, 1),
    ])
  func fractions(source: Double, target: Double, numerator: Int, denominator: Int) throws {
    let ratio = try ResamplingRatio(from: source, to: target)
    #expect(ratio.numerator == numerator && ratio.denominator == denominator)
  }

  @Test("rates too far from the model's are rejected", arguments: [62.4, 65_537_000, 1e-300, 1e308])
  func tooFar(rate: Double) {
    let error = taskError { _ = try ResamplingRatio(from: rate, to: 16_000) }
    #expect(error?.code == .invalidAudio && error?.message.contains("62.5 to 65536000.0 Hz") == true)
  }
}
