import SwiftletAudio
import SwiftletImageCodecs
import SwiftletTestSupport
import SwiftletText
import SwiftletVision

/// A measured task without running modes for images: on text, on audio, or on an image with a point of interest. Each
/// is a row of ``all``.
struct MeasuredCall: Sendable {
  /// The input of a task.
  enum Subject {
    case text(String)
    /// A file of the test data, in `images` or `tasks/audio`.
    case image(String), sound(String)

    /// The name in results.
    var name: String {
      switch self {
      case .text(let text): "\(text.utf8.count) bytes"
      case .image(let file), .sound(let file): file
      }
    }

    /// The input in a request to the peer: the text, or the path of the file.
    var told: String {
      switch self {
      case .text(let text): text
      case .image(let file): TestData.path("images/" + file)
      case .sound(let file): TestData.path("tasks/audio/" + file)
      }
    }
  }

  /// The name of the task, here and in requests to the peer.
  let name: String
  /// The models in `tasks/models` of the test data.
  let models: [String]
  let subjects: [Subject]
  /// Creates a task, and returns a closure that calls it on ``Subject/told``.
  let make: @Sendable (BaseOptions, String) throws -> () throws -> Void

  /// A sentence, and a text with more words than the models accept.
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
    // An input of several windows of the model, and one of a single window.
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
      subjects: [.image("grace_hopper.jpg"), .image("cats_and_dogs.jpg")]
    ) { base, path in
      let task = try InteractiveSegmenter(options: InteractiveSegmenterOptions(baseOptions: base))
      let image = InputImage(try ImageDecoder.decode(path: path).image)
      return { _ = try task.segmentation(of: image, region: .point(NormalizedPoint(x: 0.5, y: 0.5))) }
    },
  ]
}
