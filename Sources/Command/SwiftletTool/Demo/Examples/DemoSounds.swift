import Swiftlet
import SwiftletAudio
import SwiftletImageCodecs
import SwiftletScenes

/// Sounds that were made for the demonstration, and what the program's own classifier hears in them.
struct DemoSounds {
  static let folder = "sounds"

  /// A sound as the page shows it.
  struct Picture {
    /// The file of its spectrogram, relative to the folder.
    var spectrogram: String
    var waveform: Waveform
  }

  var scored: ScoredExamples
  /// Of each example, in their order.
  var pictures: [Picture] = []

  /// Makes a sound of each kind, writes it, and classifies it.
  init(seed: UInt64, runtime: RuntimeOptions, folder: inout DemoFolder) throws {
    let model = ToolModel.audioClassifier
    let classifier = try AudioClassifier(
      options: AudioClassifierOptions(baseOptions: BaseOptions(model: model.source, runtime)))
    var examples: [ScoredExample] = []
    for kind in SoundKind.allCases {
      let sound = MadeSound(seed: seed, number: kind.rawValue, kind: kind)
      let stem = "\(Self.folder)/" + kind.name.replacing(" ", with: "-")
      try folder.write(WAVEncoder.bytes(sound.samples, sampleRate: MadeSound.sampleRate), as: stem + ".wav")
      let spectrogram = Spectrogram(sound.samples)
      try folder.write(try ImageEncoder.encodePNG(try spectrogram.picture()), as: stem + ".png")
      pictures.append(Picture(spectrogram: stem + ".png", waveform: Waveform(sound.samples)))
      let clip = try AudioClip(samples: sound.samples, sampleRate: Double(MadeSound.sampleRate))
      let (found, latency) = try DemoTimer.time { try classifier.classification(of: clip).windows }
      examples.append(
        ScoredExample(
          subject: stem + ".wav", expected: kind.name, scores: found.first?.categories ?? [],
          latency: latency))
    }
    scored = ScoredExamples(
      task: "classify-audio", title: "Sounds",
      summary:
        "What can be heard in a second of sound: its samples, its pitches from low to high, and the best scores.",
      model: model, unit: "sound", examples: examples,
      command: "swiftlet classify-audio \(examples.first?.subject ?? "")")
  }
}
