import Swiftlet
import SwiftletAudio
import SwiftletImageCodecs
import SwiftletJSON
import SwiftletMeasurement
import SwiftletSyntheticData
import SwiftletText
import SwiftletVision

/// The result of a classifier on a synthetic sound or sentence.
struct ScoredExample {
  /// The sound's file, relative to the directory, or the sentence.
  var subject: String
  /// The class that the example was generated for.
  var expected: String
  /// All categories with their scores, best first.
  var scores: [ResultCategory]
  /// The latency of one call, in milliseconds.
  var latency: Sample

  var best: String { scores.first.map { $0.name } ?? "nothing" }

  var agreement: DemoAgreement {
    let isRight = best == expected
    return DemoAgreement(isFull: isRight, verdict: isRight ? "right" : "wrong")
  }

  /// - Parameter key: The JSON key of the subject.
  func json(_ key: String) -> JSONValue {
    .object([
      .init(key: key, value: .string(subject)), .init(key: "expected", value: .string(expected)),
      .init(key: "found", value: .string(best)), .init(key: "agrees", value: .bool(agreement.isFull)),
      .init(key: "categories", value: .array(scores.map(\.shortJSON))),
      .init(key: "median_ms", value: .double(latency.median)),
    ])
  }
}

/// The examples of one kind, with the results of the bundled model.
struct ScoredExamples {
  /// The name of the command, which also names the section.
  var task: String
  var title: String
  var summary: String
  var model: ToolModel
  /// The name of an example, in the singular.
  var unit: String
  var examples: [ScoredExample]
  /// The command that reproduces the first result, run in the directory.
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

  /// A line of text output.
  var text: String {
    let right = examples.count { $0.agreement.isFull }
    return "\(DemoTimes.padded(task))\(right) of \(examples.count) \(unit)s right, \(times.text) a \(unit)\n"
  }
}

/// Synthetic sentences with the topics that the bundled classifier predicts.
enum DemoSentences {
  private static let perTopic = 2

  /// Generates some sentences per topic and classifies them.
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

/// Synthetic sounds with the classes that the bundled classifier predicts.
struct DemoSounds {
  static let folder = "sounds"

  /// The images of a sound on the page.
  struct Figure {
    /// The file of its spectrogram, relative to the directory.
    var spectrogram: String
    var waveform: Waveform
  }

  var scored: ScoredExamples
  /// The images of the examples, in order.
  var figures: [Figure] = []

  /// Generates a sound of each kind, writes it, and classifies it.
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
      try folder.write(try ImageEncoder.encodePNG(try spectrogram.image()), as: stem + ".png")
      figures.append(Figure(spectrogram: stem + ".png", waveform: Waveform(sound.samples)))
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
