import Swiftlet
import SwiftletAudio
import SwiftletImageCodecs
import SwiftletJSON
import SwiftletMeasurement
import SwiftletSyntheticData
import SwiftletText
import SwiftletVision

/// What a classifier says of a sound or a sentence that was made for the demonstration.
struct ScoredExample {
  /// The sound's file, relative to the folder, or the sentence.
  var subject: String
  /// What it was made as.
  var expected: String
  /// All categories with their scores, the best first.
  var scores: [ResultCategory]
  /// Of one call, in milliseconds.
  var latency: Sample

  var best: String { scores.first.map { $0.name } ?? "nothing" }

  var agreement: DemoAgreement {
    let isRight = best == expected
    return DemoAgreement(isFull: isRight, verdict: isRight ? "right" : "wrong")
  }

  /// - Parameter key: what the subject is called.
  func json(_ key: String) -> JSONValue {
    .object([
      .init(key: key, value: .string(subject)), .init(key: "expected", value: .string(expected)),
      .init(key: "found", value: .string(best)), .init(key: "agrees", value: .bool(agreement.isFull)),
      .init(key: "categories", value: .array(scores.map(\.shortJSON))),
      .init(key: "median_ms", value: .double(latency.median)),
    ])
  }
}

/// Examples of one kind, and what the program's own model says of them.
struct ScoredExamples {
  /// The name of the command, which also names the section.
  var task: String
  var title: String
  var summary: String
  var model: ToolModel
  /// What an example is called, in the singular.
  var unit: String
  var examples: [ScoredExample]
  /// How the first result can be had again, within the folder.
  var command: String

  var times: DemoTimes {
    DemoTimes(task: task, title: title, model: model.fileName, unit: unit, samples: examples.map(\.latency))
  }

  var json: JSONValue {
    .object([
      "task": .string(task), "model": .string(model.fileName), "median_ms": .double(times.medianLatency),
      "examples": .array(examples.map { $0.json(unit) }),
    ])
  }

  /// A line for people.
  var text: String {
    let right = examples.count { $0.agreement.isFull }
    return "\(DemoTimes.padded(task))\(right) of \(examples.count) \(unit)s right, \(times.text) a \(unit)\n"
  }
}

/// Sentences that were made for the demonstration, and what the program's own classifier takes them to be about.
enum DemoSentences {
  private static let perTopic = 2

  /// Makes some sentences of each topic and classifies them.
  static func scored(seed: UInt64, runtime: RuntimeOptions) throws -> ScoredExamples {
    let model = ToolModel.textClassifier
    let classifier = try TextClassifier(
      options: TextClassifierOptions(baseOptions: BaseOptions(model: model.source, runtime)))
    var examples: [ScoredExample] = []
    for topic in SentenceTopic.allCases {
      for number in 0..<perTopic {
        let sentence = SyntheticSentence(seed: seed, number: topic.rawValue * perTopic + number, topic: topic)
        let (found, latency) = try DemoTimer.time {
          try classifier.classification(of: sentence.text)
        }
        examples.append(
          ScoredExample(
            subject: sentence.text, expected: topic.name, scores: found.categories, latency: latency))
      }
    }
    return ScoredExamples(
      task: "classify-text", title: "Sentences", summary: "What a sentence is about, of four topics.", model: model,
      unit: "sentence", examples: examples, command: "swiftlet classify-text '\(examples.first?.subject ?? "")'")
  }
}

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

  /// Creates a sound of each kind, writes it, and classifies it.
  init(seed: UInt64, runtime: RuntimeOptions, folder: inout DemoFolder) throws {
    let model = ToolModel.audioClassifier
    let classifier = try AudioClassifier(
      options: AudioClassifierOptions(baseOptions: BaseOptions(model: model.source, runtime)))
    var examples: [ScoredExample] = []
    for kind in SoundKind.allCases {
      let sound = SyntheticSound(seed: seed, number: kind.rawValue, kind: kind)
      let stem = "\(Self.folder)/" + kind.name.replacing(" ", with: "-")
      try folder.write(WAVEncoder.bytes(sound.samples, sampleRate: SyntheticSound.sampleRate), as: stem + ".wav")
      let spectrogram = Spectrogram(sound.samples)
      try folder.write(try ImageEncoder.encodePNG(try spectrogram.picture()), as: stem + ".png")
      pictures.append(Picture(spectrogram: stem + ".png", waveform: Waveform(sound.samples)))
      let clip = try AudioClip(samples: sound.samples, sampleRate: Double(SyntheticSound.sampleRate))
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
