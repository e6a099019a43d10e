import SwiftletBase

/// A second of sound that was made from a seed, and what it is.
package struct SyntheticSound: Sendable {
  /// Samples per second.
  package static let sampleRate = 8000
  /// The number of samples that a sound has: one second.
  package static let sampleCount = 8000

  package let kind: SoundKind
  /// One channel, in −1…1.
  package let samples: [Float]

  /// Creates the sound of this number of those that a seed stands for.
  ///
  /// - Parameters:
  ///   - number: each sound can be made without those before it.
  ///   - kind: what it is; `nil` for any of the kinds, each as likely as the others.
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
      // Neither an overtone of the first, nor so near that both become one tone that beats.
      second.pitch *= generator.one(of: [1.19, 1.33, 1.41, 1.59, 1.78])
      first.loudness *= 0.6
      second.loudness = first.loudness * generator.number(0.7, 1)
      first.add(to: &samples)
      second.add(to: &samples)
    case .clicks: Self.addClicks(to: &samples, &generator)
    case .noise: Self.addNoise(to: &samples, loudness: generator.number(0.15, 0.7), &generator)
    }
    // No room is without a sound.
    Self.addNoise(to: &samples, loudness: generator.number(0.001, 0.02), &generator)
    self.samples = samples.map { smaller(1, larger(-1, $0)) }
  }

  // MARK: Sounds without a pitch

  /// Short bursts at nearly even distances.
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

  /// Random samples: from dull ones, like a fan, to bright ones, like steam.
  private static func addNoise(to samples: inout [Float], loudness: Float, _ generator: inout SplitMix64) {
    let smoothness = generator.number(0, 0.9)
    // Smoothing takes loudness away.
    let height = loudness * ((1 + smoothness) / (1 - smoothness)).squareRoot()
    var value: Float = 0
    for index in samples.indices {
      value = between(generator.number(-1, 1), value, smoothness)
      samples[index] += height * value
    }
  }
}

/// A tone with overtones, whose pitch may move.
private struct Voice {
  /// In hertz, where it begins.
  var pitch: Float
  var loudness: Float
  /// How loud the first overtone is, compared with the tone itself; each further one is quieter by as much.
  var overtones: Float
  /// The share of the second at which it begins.
  var start: Float
  /// Which share of the second it takes.
  var length: Float
  /// How many octaves it moves up until its end; negative for down.
  var rise: Float = 0
  /// How often a second it warbles.
  var warbleRate: Float = 0
  /// By which share of its pitch it does.
  var warbleDepth: Float = 0

  init(_ kind: SoundKind, _ generator: inout SplitMix64) {
    // Spread evenly over octaves.
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

  /// Adds the tone, with soft ends.
  func add(to samples: inout [Float]) {
    let rate = Float(SyntheticSound.sampleRate)
    let first = Int(start * Float(samples.count)), count = Int(length * Float(samples.count))
    // Turns, not radians: what is left of whole ones stays exact.
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
        // Above half the rate it would come back as another tone.
        if frequency < 0.45 * rate { sum += height * sin(2 * Float.pi * fraction(phase * Float(number))) }
      }
      samples[first + offset] += sum
    }
  }
}

/// What a sound is. The raw value is the kind's number in labels and models.
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

/// Sound as a WAV file of 16-bit integers.
package enum WAVEncoder {
  private static let headerByteCount = 44

  /// The file of one channel.
  ///
  /// - Parameters:
  ///   - samples: in −1…1; what is larger is cut.
  ///   - sampleRate: samples per second.
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
    // Integers, one channel.
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
