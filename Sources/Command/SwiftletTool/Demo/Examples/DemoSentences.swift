import Swiftlet
import SwiftletScenes
import SwiftletText

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
        let sentence = MadeSentence(seed: seed, number: topic.rawValue * perTopic + number, topic: topic)
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
