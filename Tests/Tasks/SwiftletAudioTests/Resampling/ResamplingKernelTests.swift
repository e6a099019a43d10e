import Foundation
import Testing

@testable import SwiftletAudio

@Suite("Resampling kernel")
struct ResamplingKernelTests {
  /// Expected values: Abramowitz and Stegun, table 9.8, with more digits.
  @Test(
    "its window is computed from the Bessel function",
    arguments: [
      (0, 1), (0.5, 1.063_483_370_741_323_5), (1, 1.266_065_877_752_008_4), (2, 2.279_585_302_336_067_3),
      (6, 67.234_406_976_477_98), (10, 2_815.716_628_466_254), (20, 43_558_282.559_553_53),
    ] as [(Double, Double)])
  func bessel(argument: Double, value: Double) {
    #expect(abs(ResamplingKernel.besselI0(argument) / value - 1) < 1e-14)
  }

  @Test(
    "extends over five samples of the slower rate on each side",
    arguments: [
      (8000, 16_000, 5), (16_000, 8000, 10), (48_000, 16_000, 15), (44_100, 16_000, 14), (16_001, 16_000, 6),
      (96_000, 16_000, 30),
    ] as [(Double, Double, Int)])
  func radius(source: Double, target: Double, radius: Int) throws {
    let kernel = ResamplingKernel(try ResamplingRatio(from: source, to: target))
    #expect(kernel.radius == radius && kernel.count == 2 * radius + 1)
    var weights: [Float] = [7]
    kernel.append(offset: 0, to: &weights)
    #expect(weights.count == kernel.count + 1 && weights[0] == 7)
  }

  /// Returns the weight at `distance` frames from the center, if the source's rate is `slowdown` times the result's.
  private func weight(_ distance: Double, slowdown: Double) -> Double {
    let radius = 5 * slowdown
    guard abs(distance) <= radius + 1e-9 else { return 0 }
    let angle = Double.pi * 0.9 / slowdown * distance
    // I₀(6), and I₀ as a power series far beyond double precision.
    func bessel(_ x: Double) -> Double {
      (1..<100).reduce((sum: 1.0, term: 1.0)) { state, index in
        let term = state.term * (x / 2 / Double(index)) * (x / 2 / Double(index))
        return (state.sum + term, term)
      }.sum
    }
    let window = bessel(6 * max(0, 1 - distance * distance / (radius * radius)).squareRoot()) / 67.234_406_976_477_98
    return 0.9 / slowdown * (distance == 0 ? 1 : sin(angle) / angle) * window
  }

  @Test("has the weights of its definition, including both ends", arguments: [1.0, 2, 2.5], [0, 0.25, 0.5, 1])
  func weights(slowdown: Double, offset: Double) throws {
    let kernel = ResamplingKernel(try ResamplingRatio(from: 16_000 * slowdown, to: 16_000))
    var weights: [Float] = []
    kernel.append(offset: offset, to: &weights)
    for (index, found) in weights.enumerated() {
      let expected = weight(Double(index - kernel.radius) - offset, slowdown: slowdown)
      #expect(abs(Double(found) - expected) < 1e-7, "weight \(index)")
    }
    // The window isn't zero at its end, but 1 / I₀(6). Beyond its end it is.
    if offset == 0 { #expect((weights[0] != 0) == (slowdown != 2.5) && weights.first == weights.last) }
  }

  @Test("ratios of rates have documented limits")
  func limits() throws {
    #expect(ResamplingRatio.maximumDenominator == 1000 && ResamplingRatio.range == 0.00390625...4096)
    let ratio = try ResamplingRatio(from: 8000, to: 16_000)
    #expect(ratio.exact == 0.5 && ratio.numerator == 1 && ratio.denominator == 2)
    let error = taskError { _ = try ResamplingRatio(from: 1, to: 16_000) }
    #expect(
      error?.message
        == "audio at 1.0 Hz cannot be resampled to the model's 16000.0 Hz; use a rate from 62.5 to 65536000.0 Hz")
  }
}
