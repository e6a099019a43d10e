import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections of transforms")
struct SignalRefusalTests {
  private static func spectrogram(_ shape: [Int], window: Int32, stride: Int32) -> Probe {
    Probe(
      custom: "AudioSpectrogram", [.floats(shape)], [.floats()],
      FlexMap.bytes(["window_size": .int(window), "stride": .int(stride)]))
  }

  private static func cepstrum(
    _ shape: [Int] = [1, 2, 33], rate: Int32 = 8000, lower: Int32 = 20, upper: Int32 = 3000, filters: Int32 = 4,
    count: Int32 = 2
  ) -> Probe {
    Probe(
      custom: "Mfcc", [.floats(shape), .ints([rate])], [.floats()],
      FlexMap.bytes([
        "upper_frequency_limit": .int(upper), "lower_frequency_limit": .int(lower),
        "filterbank_channel_count": .int(filters), "dct_coefficient_count": .int(count),
      ]))
  }

  private static func rotation(_ shape: [Int], _ length: Int32) -> Probe {
    Probe(
      custom: "aeq.hadamard_rotation", [.floats(shape)], [.floats()], FlexMap.bytes(["hadamard_size": .int(length)]))
  }

  private static func transform(_ shape: [Int], _ lengths: [Int32]) -> Probe {
    Probe(.rfft2D, [.floats(shape), .ints(lengths)], [.of(.complex64)])
  }

  private static let refusals: [Refusal] = [
    Refusal(
      "has windows of 1 samples every 8", spectrogram([16, 1], window: 1, stride: 8),
      but: spectrogram([16, 1], window: 2, stride: 8)),
    Refusal(
      "sizes are 2 to 4194304", spectrogram([16, 1], window: 1 << 22 + 1, stride: 8),
      but: spectrogram([16, 1], window: 1 << 22, stride: 8)),
    Refusal(
      "has windows of 8 samples every 0", spectrogram([16, 1], window: 8, stride: 0),
      but: spectrogram([16, 1], window: 8, stride: 1)),
    Refusal("takes samples of rank 2", spectrogram([16], window: 8, stride: 8)),
    Refusal("gives 2 coefficients of 0 filters", cepstrum(filters: 0)),
    Refusal("there must be 1 to 1024 filters", cepstrum(filters: 1025), but: cepstrum(filters: 1024)),
    Refusal("gives 0 coefficients of 4 filters", cepstrum(count: 0), but: cepstrum(count: 1)),
    Refusal("gives 5 coefficients of 4 filters", cepstrum(count: 5), but: cepstrum(count: 4)),
    Refusal("takes spectra of rank 3", cepstrum([2, 33])),
    Refusal("cannot filter 33 frequencies at a sample rate of 0", cepstrum(rate: 0), but: cepstrum(rate: 1)),
    Refusal("cannot filter 1 frequencies", cepstrum([1, 2, 1]), but: cepstrum([1, 2, 2])),
    Refusal("from -1.0 to 3000.0 Hertz", cepstrum(lower: -1), but: cepstrum(lower: 0)),
    Refusal("from 20.0 to 20.0 Hertz", cepstrum(upper: 20), but: cepstrum(upper: 21)),
    Refusal("has runs of 0 elements", rotation([1, 4], 0), but: rotation([1, 4], 1)),
    Refusal("has runs of 6 elements", rotation([1, 6], 6), but: rotation([1, 6], 4)),
    Refusal("a power of two up to 4194304", rotation([1, 4], 1 << 23), but: rotation([1, 4], 1 << 22)),
    Refusal("takes an input of rank 2 or 3", rotation([4], 4)),
    Refusal("takes an input of rank 2 or 3", rotation([1, 1, 1, 4], 4), but: rotation([1, 1, 4], 4)),
    Refusal("takes an input of rank 2 or more", transform([4], [1, 4]), but: transform([1, 4], [1, 4])),
    Refusal("transforms of lengths [3, 4]", transform([1, 4], [3, 4])),
    Refusal("transforms of lengths [1, 0]", transform([1, 4], [1, 0]), but: transform([1, 4], [1, 1])),
    Refusal("transforms of lengths [4]", transform([1, 4], [4])),
  ]

  @Test("invalid lengths, limits, and shapes", arguments: refusals)
  func refuses(refusal: Refusal) { refusal.check() }

  @Test("windows and filters that exceed the table limits")
  func refusesLarge() {
    Refusal(
      "at most 4194304", Self.transform([1, 4], [1 << 23, 1]), but: Self.transform([0, 1, 4], [1 << 22, 1]),
      isUnread: true
    ).check()
    #expect(FourierTransform.takes(length: 1) && FourierTransform.takes(length: 1 << 22))
    #expect(!FourierTransform.takes(length: 0) && !FourierTransform.takes(length: 1 << 23))
    #expect(!FourierTransform.takes(length: 12) && !FourierTransform.takes(length: -4))
  }

  /// Returns the sum that defines the transform, in double precision.
  private func naive(_ values: [[Float]], _ row: Int, _ column: Int, rows: Int, columns: Int) -> (Double, Double) {
    var (real, imaginary) = (0.0, 0.0)
    for (y, line) in values.prefix(rows).enumerated() {
      for (x, value) in line.prefix(columns).enumerated() {
        let angle = -2 * Double.pi * (Double(row * y) / Double(rows) + Double(column * x) / Double(columns))
        real += Double(value) * cos(angle)
        imaginary += Double(value) * sin(angle)
      }
    }
    return (real, imaginary)
  }

  @Test(
    "a transform equals its definition, for truncated and zero-padded input",
    arguments: [
      (1, 1), (2, 1), (1, 2), (2, 2), (4, 2), (2, 4), (8, 4), (4, 8), (1, 16), (16, 1), (8, 32),
    ])
  func transforms(rows: Int, columns: Int) throws {
    // Two slices of 3 × 5: shorter than some lengths, and longer than others.
    let values = (0..<30).map { Float($0 * $0 % 13) - 6 }
    let probe = Probe(
      .rfft2D, [.values(values, [2, 3, 5]), .ints([Int32(rows), Int32(columns)])], [.of(.complex64)])
    let result = try probe.run()[0]
    #expect(result.shape == Shape([2, rows, columns / 2 + 1]))
    let numbers = result.bytes.withUnsafeBytes { raw in
      (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    var place = 0
    for slice in 0..<2 {
      let lines = (0..<3).map { line in Array(values[15 * slice + 5 * line..<15 * slice + 5 * line + 5]) }
      for row in 0..<rows {
        for column in 0..<columns / 2 + 1 {
          let (real, imaginary) = naive(lines, row, column, rows: rows, columns: columns)
          #expect(abs(Double(numbers[place]) - real) < 1e-4 && abs(Double(numbers[place + 1]) - imaginary) < 1e-4)
          place += 2
        }
      }
    }
  }

  @Test("a rotation adds and subtracts runs, and preserves the norm", arguments: [1, 2, 4] as [Int32])
  func rotates(length: Int32) throws {
    let values: [Float] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    let probe = Probe(
      custom: "aeq.hadamard_rotation", [.values(values, [2, 6])], [.floats()],
      FlexMap.bytes(["hadamard_size": .int(length)]))
    let result: [Float] = try probe.run()[0].values()
    let half = Float(0.5).squareRoot()
    let expected: [Float] =
      switch length {
      case 1: values
      case 2: [3, -1, 7, -1, 11, -1, 15, -1, 19, -1, 23, -1].map { $0 * half }
      // One run of four per line of six, counted over the entire tensor: the first eight elements.
      default: [5, -1, -2, 0, 13, -1, -2, 0, 9, 10, 11, 12]
      }
    #expect(zip(result, expected).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test("a spectrogram uses a Hann window, channel by channel", arguments: [false, true])
  func spectrogramOfWindows(isSquared: Bool) throws {
    // Five samples per window, so that a transform has eight; two channels of nine samples, with a step of three.
    let samples = (0..<18).map { Float($0 * 7 % 10) - 4 }
    let probe = Probe(
      custom: "AudioSpectrogram", [.values(samples, [9, 2])], [.floats()],
      FlexMap.bytes(["window_size": .int(5), "stride": .int(3), "magnitude_squared": .bool(isSquared)]))
    let result = try probe.run()[0]
    #expect(result.shape == [2, 2, 5])
    let values: [Float] = try result.values()
    for channel in 0..<2 {
      for window in 0..<2 {
        let line = (0..<5).map { index -> Float in
          let share = 0.5 - 0.5 * cos(2 * Double.pi * Double(index) / 5)
          return samples[2 * (3 * window + index) + channel] * Float(share)
        }
        for frequency in 0..<5 {
          let (real, imaginary) = naive([line], 0, frequency, rows: 1, columns: 8)
          let power = real * real + imaginary * imaginary
          let value = Double(values[(2 * channel + window) * 5 + frequency])
          #expect(abs(value - (isSquared ? power : power.squareRoot())) < 1e-3)
        }
      }
    }
  }

  @Test(
    "a spectrogram has the number of windows in the samples", arguments: [(7, 0), (8, 1), (10, 1), (11, 2), (14, 3)])
  func countsWindows(samples: Int, windows: Int) throws {
    let result = try Self.spectrogram([samples, 1], window: 8, stride: 3).run()[0]
    #expect(result.shape == Shape([1, windows, 5]))
  }
}
