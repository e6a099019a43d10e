import SwiftletTestSupport
import SwiftletText
import Testing

@testable import SwiftletSyntheticData

@Suite("Synthetic sentences")
struct SyntheticSentenceTests {
  private static let heldOutSeed: UInt64 = 1_000_003

  @Test("are reproducible for a seed and number, and mostly different for others")
  func determinism() {
    let texts = (0..<200).map { SyntheticSentence(seed: 4, number: $0).text }
    #expect(texts == (0..<200).map { SyntheticSentence(seed: 4, number: $0).text })
    #expect(Set(texts).count > 190)
  }

  @Test("have the requested topic, in a line of plain English", arguments: SentenceTopic.allCases)
  func form(topic: SentenceTopic) {
    for number in 0..<100 {
      let sentence = SyntheticSentence(seed: 9, number: number, topic: topic)
      #expect(sentence.topic == topic)
      #expect(sentence.text.utf8.count < 120 && sentence.text.split(separator: " ").count >= 3)
      #expect(sentence.text.allSatisfy { $0.isASCII && ($0.isLetter || " .!".contains($0)) }, "\(sentence.text)")
    }
  }

  @Test("share words with other topics, so that no word list suffices")
  func sharedWords() {
    let words = SentenceTopic.allCases.map {
      Set($0.patterns.joined().joined().joined(separator: " ").split(separator: " "))
    }
    for topic in words.indices {
      let others = words.indices.filter { $0 != topic }.reduce(into: Set<Substring>()) { $0.formUnion(words[$1]) }
      #expect(words[topic].intersection(others).count >= 8)
    }
  }

  @Test("are classified by both models, including unseen sentences", arguments: ["", "_int8"])
  func heldOut(form: String) throws {
    let classifier = try TextClassifier(.file(TestData.packagePath + "/Models/text_classifier\(form).tflite"))
    let count = 400
    var right = 0
    for number in 0..<count {
      let sentence = SyntheticSentence(seed: Self.heldOutSeed, number: number)
      let categories = try classifier.classification(of: sentence.text).categories
      if try #require(categories.first).categoryName == sentence.topic.name { right += 1 }
    }
    #expect(Double(right) >= 0.97 * Double(count), "\(right) of \(count)")
  }

  @Test(
    "train a model that generalizes to independent texts about the topics",
    arguments: [
      ("I love pasta with cheese and garlic", "cooking"), ("It may snow in the mountains tonight", "weather"),
      ("my flight to the capital was delayed", "travel"), ("The goalkeeper lost the final", "sport"),
    ])
  func otherSentences(text: String, topic: String) throws {
    let classifier = try TextClassifier(.file(TestData.packagePath + "/Models/text_classifier_int8.tflite"))
    let categories = try classifier.classification(of: text).categories
    #expect(categories.first?.categoryName == topic)
  }
}
