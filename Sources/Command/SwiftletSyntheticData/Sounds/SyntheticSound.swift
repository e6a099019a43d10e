import SwiftletBase

/// One second of synthetic audio with its class.
package struct SyntheticSound: Sendable {
  /// Samples per second.
  package static let sampleRate = 8000
  /// The number of samples: one second.
  package static let sampleCount = 8000

  package let kind: SoundKind
  /// The samples of one channel, in −1…1.
  package let samples: [Float]

  /// Creates the sound with a number in the sequence of a seed.
  ///
  /// - Parameters:
  ///   - number: The number of the sound. Each sound can be created without the previous ones.
  ///   - kind: The kind of sound, or `nil` for a random kind.
  package init(seed: UInt64, number: Int, kind: SoundKind? = nil) {
    var generator = SplitMix64(seed: seed, part: UInt64(truncatingIfNeeded: number))
    let drawn = generator.one(of: SoundKind.allCases)
    self.kind = kind ?? drawn
    var samples = [Float](repeating: 0, count: Self.sampleCount)
    switch self.kind {
    case .silence: break
    case .tone, .risingTone, .fallingTone, .warble:
      Voice(self.kind, &generator).add(to: &samples)
    case .twoTones:
      var first = Voice(.tone, &generator)
      first.overtones = 0
      var second = first
      // Neither an overtone of the first, nor so close that the two merge into a single beating tone.
      second.pitch *= generator.one(of: [1.19, 1.33, 1.41, 1.59, 1.78])
      first.loudness *= 0.6
      second.loudness = first.loudness * generator.number(0.7, 1)
      first.add(to: &samples)
      second.add(to: &samples)
    case .clicks: Self.addClicks(to: &samples, &generator)
    case .noise: Self.addNoise(to: &samples, loudness: generator.number(0.15, 0.7), &generator)
    }
    // Every room has background noise.
    Self.addNoise(to: &samples, loudness: generator.number(0.001, 0.02), &generator)
    self.samples = samples.map { smaller(1, larger(-1, $0)) }
  }

  // MARK: Unpitched sounds

  /// Adds short bursts at nearly regular intervals.
  private static func addClicks(to samples: inout [Float], _ generator: inout SplitMix64) {
    let period = Float(sampleRate) / generator.number(3, 14)
    let (decay, loudness) = (generator.number(0.95, 0.985), generator.number(0.3, 0.9))
    var start = generator.number(0, period)
    while Int(start) < sampleCount {
      var height = loudness * generator.number(0.7, 1)
      for index in Int(start)..<min(sampleCount, Int(start) + 240) {
        samples[index] += height * generator.number(-1, 1)
        height *= decay
      }
      start += period * generator.number(0.9, 1.1)
    }
  }

  /// Adds random samples: from muffled noise, like a fan, to bright noise, like steam.
  private static func addNoise(to samples: inout [Float], loudness: Float, _ generator: inout SplitMix64) {
    let smoothness = generator.number(0, 0.9)
    // Compensate for the loudness lost by smoothing.
    let height = loudness * ((1 + smoothness) / (1 - smoothness)).squareRoot()
    var value: Float = 0
    for index in samples.indices {
      value = between(generator.number(-1, 1), value, smoothness)
      samples[index] += height * value
    }
  }
}

/// A tone with overtones and a variable pitch.
private struct Voice {
  /// The initial pitch in hertz.
  var pitch: Float
  var loudness: Float
  /// The loudness of the first overtone relative to the fundamental; each further overtone is quieter by the same
  /// factor.
  var overtones: Float
  /// The start, as a share of the second.
  var start: Float
  /// The length, as a share of the second.
  var length: Float
  /// The rise in octaves until the end; negative for a falling pitch.
  var rise: Float = 0
  /// The vibrato rate in hertz.
  var warbleRate: Float = 0
  /// The vibrato depth, as a share of the pitch.
  var warbleDepth: Float = 0

  init(_ kind: SoundKind, _ generator: inout SplitMix64) {
    // Distributed evenly over octaves.
    pitch = 220 * pow(6, generator.number(0, 1))
    loudness = generator.number(0.15, 0.8)
    overtones = generator.happens(0.5) ? generator.number(0.1, 0.5) : 0
    length = generator.number(0.6, 1)
    start = generator.number(0, 1 - length)
    let octaves = generator.number(0.5, 1.6)
    switch kind {
    case .risingTone:
      pitch = 200 * pow(4, generator.number(0, 1))
      rise = octaves
    case .fallingTone:
      pitch = 200 * pow(4, generator.number(0, 1)) * pow(2, octaves)
      rise = -octaves
    case .warble:
      warbleRate = generator.number(4, 10)
      warbleDepth = generator.number(0.08, 0.25)
    default: break
    }
  }

  /// Adds the tone to the samples, with soft ends.
  func add(to samples: inout [Float]) {
    let rate = Float(SyntheticSound.sampleRate)
    let first = Int(start * Float(samples.count)), count = Int(length * Float(samples.count))
    // The phase counts cycles instead of radians, so that its fractional part stays exact.
    var (phase, warble): (Float, Float) = (0, 0)
    for offset in 0..<min(count, samples.count - first) {
      let share = Float(offset) / Float(count)
      var height = loudness * smoothStep(0, 0.04, share) * (1 - smoothStep(0.94, 1, share))
      var frequency = pitch * pow(2, rise * share) * (1 + warbleDepth * sin(2 * Float.pi * warble))
      warble = fraction(warble + warbleRate / rate)
      phase = fraction(phase + frequency / rate)
      var sum = height * sin(2 * Float.pi * phase)
      for number in 2...4 where overtones > 0 {
        frequency += pitch
        height *= overtones
        // Skip overtones near half the sample rate, which would alias.
        if frequency < 0.45 * rate { sum += height * sin(2 * Float.pi * fraction(phase * Float(number))) }
      }
      samples[first + offset] += sum
    }
  }
}

/// The kind of a sound. The raw value is the kind's number in labels and models.
package enum SoundKind: Int, Sendable, CaseIterable {
  case silence, tone, twoTones, risingTone, fallingTone, warble, clicks, noise

  /// The English name.
  package var name: String {
    switch self {
    case .twoTones: "two tones"
    case .risingTone: "rising tone"
    case .fallingTone: "falling tone"
    default: "\(self)"
    }
  }
}

/// Encodes audio as a WAV file of 16-bit integers.
package enum WAVEncoder {
  private static let headerByteCount = 44

  /// Returns the file of one channel.
  ///
  /// - Parameters:
  ///   - samples: The samples in −1…1; values outside are clipped.
  ///   - sampleRate: The number of samples per second.
  /// - Source: "Multimedia Programming Interface and Data Specifications 1.0", IBM and Microsoft (1991).
  package static func bytes(_ samples: [Float], sampleRate: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ text: StaticString) { text.withUTF8Buffer { bytes += $0 } }
    func append<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    let dataByteCount = 2 * samples.count
    bytes.reserveCapacity(headerByteCount + dataByteCount)
    append("RIFF")
    append(UInt32(clamping: headerByteCount - 8 + dataByteCount))
    append("WAVEfmt ")
    append(UInt32(16))
    // PCM, one channel.
    append(UInt16(1))
    append(UInt16(1))
    append(UInt32(clamping: sampleRate))
    append(UInt32(clamping: 2 * sampleRate))
    append(UInt16(2))
    append(UInt16(16))
    append("data")
    append(UInt32(clamping: dataByteCount))
    for sample in samples { append(Int16(larger(-1, smaller(1, sample)) * 32767)) }
    return bytes
  }
}
