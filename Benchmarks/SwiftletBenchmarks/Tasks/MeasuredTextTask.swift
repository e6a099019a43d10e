import SwiftletText

/// A task on texts as it is measured, alone and beside MediaPipe. One row of ``all`` each.
struct MeasuredTextTask: Sendable {
  /// What the task is called here, and in requests to the peer.
  let name: String
  /// In `tasks/models` of the test data.
  let models: [String]
  let texts: [String]
  /// The task as a function of a text.
  let make: @Sendable (BaseOptions) throws -> (String) throws -> Void

  /// A sentence, and more words than the models take.
  private static let texts = [
    "What a waste of time: the plot is thin, the actors are bored and so was I!",
    [String](repeating: "a long and winding story", count: 60).joined(separator: " "),
  ]

  static let all: [MeasuredTextTask] = [
    MeasuredTextTask(name: "text-classification", models: ["text_classifier_regex.tflite"], texts: texts) { base in
      let task = try TextClassifier(
        options: TextClassifierOptions(baseOptions: base, maxResults: MeasuredTask.maxResults))
      return { _ = try task.classify($0) }
    },
    MeasuredTextTask(name: "text-embedding", models: ["text_embedder_regex.tflite"], texts: texts) { base in
      let task = try TextEmbedder(options: TextEmbedderOptions(baseOptions: base))
      return { _ = try task.embed($0) }
    },
  ]
}
