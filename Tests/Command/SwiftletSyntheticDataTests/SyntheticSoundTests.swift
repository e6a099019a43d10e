import SwiftletAudio
import SwiftletTestSupport
import Testing

@testable import SwiftletSyntheticData

@Suite("Synthetic sounds")
struct SyntheticSoundTests {
  /// The evaluation seed of `Tools/train`, which trains on another.
  private static let heldOutSeed: UInt64 = 1_000_003

  @Test("are reproducible for a seed and number, and different for others")
  func determinism() {
    let sound = SyntheticSound(seed: 5, number: 3)
    let again = SyntheticSound(seed: 5, number: 3)
    #expect(sound.samples == again.samples && sound.kind == again.kind)
    #expect(SyntheticSound(seed: 6, number: 3, kind: sound.kind).samples != sound.samples)
    #expect(SyntheticSound(seed: 5, number: 4, kind: sound.kind).samples != sound.samples)
  }

  @Test("are one second of finite samples that fill the range, except for silence", arguments: SoundKind.allCases)
  func range(kind: SoundKind) {
    for number in 0..<8 {
      let sound = SyntheticSound(seed: 1, number: number, kind: kind)
      #expect(sound.kind == kind && sound.samples.count == SyntheticSound.sampleCount)
      let loudest = sound.samples.map(abs).max() ?? 0
      #expect(loudest > 0 && loudest <= 1)
      #expect((loudest > 0.1) == (kind != .silence), "\(loudest)")
    }
  }

  @Test("rise and fall according to their names")
  func pitch() {
    /// Returns the number of sign changes in a part of the sound: two per wave.
    func crossings(_ samples: ArraySlice<Float>) -> Int {
      zip(samples, samples.dropFirst()).count { ($0 < 0) != ($1 < 0) }
    }
    for number in 0..<8 {
      for (kind, isRising) in [(SoundKind.risingTone, true), (.fallingTone, false)] {
        // Exclude the quiet parts before and after the tone.
        let samples = SyntheticSound(seed: 2, number: number, kind: kind).samples
        let loud = samples.indices.filter { abs(samples[$0]) > 0.1 }
        let (start, end) = (loud.first ?? 0, loud.last ?? 0)
        let third = (end - start) / 3
        #expect(
          (crossings(samples[start..<(start + third)]) < crossings(samples[(end - third)..<end])) == isRising,
          "\(kind) \(number)")
      }
    }
  }

  @Test("are classified by both models, including unseen sounds", arguments: ["", "_int8"])
  func heldOut(form: String) throws {
    let classifier = try AudioClassifier(
      .file(TestData.packagePath + "/Models/audio_classifier\(form).tflite"))
    let count = 240
    var right = 0
    for number in 0..<count {
      let sound = SyntheticSound(seed: Self.heldOutSeed, number: number)
      let clip = try AudioClip(samples: sound.samples, sampleRate: Double(SyntheticSound.sampleRate))
      let windows = try classifier.classification(of: clip).windows
      #expect(windows.count == 1)
      let best = try #require(windows.first?.classification.categories.first)
      if best.categoryName == sound.kind.name { right += 1 }
    }
    #expect(Double(right) >= 0.97 * Double(count), "\(right) of \(count)")
  }

  @Test("become WAV files that decode to the same samples, up to 16-bit rounding")
  func files() throws {
    let samples: [Float] = [0, 0.5, -0.5, 1, -1, 2, -2, 0.123_456]
    let clip = try AudioClip(wav: WAVEncoder.bytes(samples, sampleRate: 8000))
    #expect(clip.sampleRate == 8000 && clip.channelCount == 1 && clip.samples.count == samples.count)
    for (read, written) in zip(clip.samples, samples) {
      #expect(abs(read - max(-1, min(1, written))) < 1.0 / 16384)
    }
  }
}
