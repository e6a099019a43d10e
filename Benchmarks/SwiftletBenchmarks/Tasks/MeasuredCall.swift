import SwiftletAudio
import SwiftletImageCodecs
import SwiftletTestSupport
import SwiftletText
import SwiftletVision

/// A task without running modes for images as it is measured: on texts, on sounds, or on an image that somebody
/// points at. One row of ``all`` each.
struct MeasuredCall: Sendable {
  /// What a task is given.
  enum Subject {
    case text(String)
    /// A file of the test data: of `images` or `tasks/audio`.
    case picture(String), sound(String)

    /// What it is called in results.
    var name: String {
      switch self {
      case .text(let text): "\(text.utf8.count) bytes"
      case .picture(let file), .sound(let file): file
      }
    }

    /// The text, or where the file is: what the peer is told.
    var told: String {
      switch self {
      case .text(let text): text
      case .picture(let file): TestData.path("images/" + file)
      case .sound(let file): TestData.path("tasks/audio/" + file)
      }
    }
  }

  /// What the task is called here, and in requests to the peer.
  let name: String
  /// In `tasks/models` of the test data.
  let models: [String]
  let subjects: [Subject]
  /// A call of a new task, on what ``Subject/told`` says.
  let make: @Sendable (BaseOptions, String) throws -> () throws -> Void

  /// A sentence, and more words than the models take.
  private static let texts: [Subject] = [
    .text("What a waste of time: the plot is thin, the actors are bored and so was I!"),
    .text([String](repeating: "a long and winding story", count: 60).joined(separator: " ")),
  ]

  static let all: [MeasuredCall] = [
    MeasuredCall(name: "text-classification", models: ["text_classifier_regex.tflite"], subjects: texts) { base, text in
      let task = try TextClassifier(
        options: TextClassifierOptions(baseOptions: base, maxResults: MeasuredTask.maxResults))
      return { _ = try task.classification(of: text) }
    },
    MeasuredCall(name: "text-embedding", models: ["text_embedder_regex.tflite"], subjects: texts) { base, text in
      let task = try TextEmbedder(options: TextEmbedderOptions(baseOptions: base))
      return { _ = try task.embedding(of: text) }
    },
    // Several windows of the model, and one.
    MeasuredCall(
      name: "audio-classification", models: ["yamnet.tflite"],
      subjects: [.sound("speech.wav"), .sound("two_heads.wav")]
    ) { base, path in
      let task = try AudioClassifier(
        options: AudioClassifierOptions(baseOptions: base, maxResults: MeasuredTask.maxResults))
      let clip = try AudioClip(contentsOf: path)
      return { _ = try task.classification(of: clip) }
    },
    MeasuredCall(
      name: "interactive-masks", models: ["interactive_4channel.tflite"],
      subjects: [.picture("grace_hopper.jpg"), .picture("cats_and_dogs.jpg")]
    ) { base, path in
      let task = try InteractiveSegmenter(options: InteractiveSegmenterOptions(baseOptions: base))
      let image = InputImage(try ImageDecoder.decode(path: path).image)
      return { _ = try task.segmentation(of: image, region: .point(NormalizedPoint(x: 0.5, y: 0.5))) }
    },
  ]
}
