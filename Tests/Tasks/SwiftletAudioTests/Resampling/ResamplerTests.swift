import Foundation
import SwiftletTestSupport
import Testing

@testable import SwiftletAudio

@Suite("Resampler")
struct ResamplerTests {
  private static let rates: [Double] = [
    8000, 11_025, 12_345.67, 15_999, 16_001, 22_050, 32_000, 44_100, 48_000, 96_000, 1000,
  ]

  private func resample(
    _ samples: [Float], from source: Double, to target: Double = 16_000, channels: Int = 1, pieces: Int = .max
  ) throws -> [Float] {
    var resampler = Resampler(try ResamplingRatio(from: source, to: target), channelCount: channels)
    return resample(samples, by: &resampler, channels: channels, pieces: pieces)
  }

  private func resample(
    _ samples: [Float], by resampler: inout Resampler, channels: Int = 1, pieces: Int = .max
  ) -> [Float] {
    var results: [Float] = []
    var start = 0
    while start < samples.count {
      let end = start + min(samples.count - start, pieces == .max ? samples.count : pieces * channels)
      Array(samples[start..<end]).withUnsafeBufferPointer { piece in
        resampler.take(piece) { results += $0 }
      }
      start = end
    }
    resampler.finish { results += $0 }
    return results
  }

  /// Returns the result by definition, in double precision, sample by sample.
  private func definition(_ samples: [Float], from source: Double, to target: Double = 16_000) throws -> [Double] {
    let ratio = try ResamplingRatio(from: source, to: target)
    let radius = 5 * max(1, ratio.exact)
    let cutoff = 0.9 / 2 * min(1, 1 / ratio.exact)
    let ceiling = Int(radius.rounded(.up))
    let count = ((samples.count + ceiling) * ratio.denominator + ratio.numerator - 1) / ratio.numerator
    return (0..<count).map { index in
      let position = Double(index * ratio.numerator) / Double(ratio.denominator)
      return samples.indices.reduce(0) { sum, frame in
        let distance = Double(frame) - position
        guard abs(distance) <= radius + 1e-9 else { return sum }
        let angle = 2 * Double.pi * cutoff * distance
        let sinc = distance == 0 ? 1 : sin(angle) / angle
        let window = ResamplingKernel.besselI0(6 * max(0, 1 - distance * distance / (radius * radius)).squareRoot())
        return sum + Double(samples[frame]) * 2 * cutoff * sinc * window / ResamplingKernel.besselI0(6)
      }
    }
  }

  @Test("results match the definition", arguments: rates)
  func definition(rate: Double) throws {
    var numbers = SplitMix64(state: 1)
    for count in [1, 2, 7, 60, 200] {
      let samples = (0..<count).map { _ in Float.random(in: -1...1, using: &numbers) }
      let results = try resample(samples, from: rate)
      let expected = try definition(samples, from: rate)
      #expect(results.count == expected.count)
      #expect(zip(results, expected).allSatisfy { abs(Double($0) - $1) < 3e-7 }, "\(rate) Hz, \(count) samples")
    }
  }

  @Test("block boundaries do not matter", arguments: rates)
  func cuts(rate: Double) throws {
    var numbers = SplitMix64(state: 2)
    let samples = (0..<300).map { _ in Float.random(in: -1...1, using: &numbers) }
    let whole = try resample(samples, from: rate)
    for pieces in [1, 3, 100] { #expect(try resample(samples, from: rate, pieces: pieces) == whole) }
  }

  @Test("a resampler that restarts has no trace of the previous clip")
  func reset() throws {
    let samples = ramp(50)
    var resampler = Resampler(try ResamplingRatio(from: 44_100, to: 16_000), channelCount: 1)
    let first = resample(samples, by: &resampler)
    ramp(9).withUnsafeBufferPointer { resampler.take($0) { _ in } }
    resampler.reset()
    #expect(resample(samples, by: &resampler) == first)
  }

  @Test("channels do not mix")
  func channels() throws {
    let (left, right) = (ramp(40), ramp(40).map { 100 - $0 * $0 })
    let both = try resample(zip(left, right).flatMap { [$0, $1] }, from: 22_050, channels: 2, pieces: 7)
    #expect(both.indices.filter { $0 % 2 == 0 }.map { both[$0] } == (try resample(left, from: 22_050)))
    #expect(both.indices.filter { $0 % 2 == 1 }.map { both[$0] } == (try resample(right, from: 22_050)))
  }

  @Test("a tone below the slower rate's Nyquist frequency keeps its amplitude, and one above is removed")
  func tones() throws {
    func loudness(_ frequency: Double) throws -> Double {
      let samples = (0..<9600).map { Float(sin(2 * Double.pi * frequency * Double($0) / 48_000)) }
      let middle = try resample(samples, from: 48_000)[500..<2500]
      return (middle.reduce(0) { $0 + Double($1 * $1) } / 2000 * 2).squareRoot()
    }
    #expect(abs(try loudness(1000) - 1) < 0.01)
    #expect(try loudness(10_000) < 0.01)
  }

  @Test("kernels are computed on demand, also for ratios with many kernels")
  func manyKernels() throws {
    let ratio = try ResamplingRatio(from: 16_000 * 777.777, to: 16_000)
    #expect(ResamplingKernel(ratio).count * ratio.denominator > 1 << 20)
    let samples: [Float] = (0..<2000).map { Float($0 % 17) - 8 }
    let results = try resample(samples, from: 16_000 * 777.777)
    let expected = try definition(samples, from: 16_000 * 777.777)
    #expect(results.count == expected.count)
    #expect(zip(results, expected).allSatisfy { abs(Double($0) - $1) < 1e-5 })
  }
}
