import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletText

@Suite("Language detector")
struct LanguageDetectorTests {
  /// Returns a detector of the usual form: hashes of letters, the mean of their vectors, a matrix product, and
  /// probabilities.
  ///
  /// The vector of a hash is along the axis of one language.
  private func model(labels: [String]? = ["en", "de", "fr"]) throws -> [UInt8] {
    var graph = TestGraph()
    let text = graph.input(.string, [1])
    let hashes = graph.tensor(.int32, [1, 1, 1])
    graph.add(
      custom: "NGramHash", [text], [hashes],
      options: FlexMap.bytes(["seed": .int(7), "ngram_lengths": .ints([1]), "vocab_sizes": .ints([50])]))
    let row = graph.tensor(.int32, [1, 1])
    graph.add(.reshape, [hashes, graph.constant([Int32(1), -1])], [row])
    let mean = graph.tensor(.float32, [1, 3])
    // Rows 0 to 50 of three codes each; a code represents itself.
    let encodings = (0...50).flatMap { number in (0..<3).map { UInt8(number % 3 == $0 ? 1 : 0) } }
    graph.add(
      custom: "KmeansEmbeddingLookup",
      [row, graph.constant(encodings, shape: [51, 3]), graph.constant([Float(0), 1], shape: [2, 1])], [mean])
    graph.add(.softmax, [mean], [graph.output(.float32, [1, 3])], options: SoftmaxOptions.with { [$0.beta(10)] })
    var output: [Int: FlatValue] = [0: .string("probability")]
    if labels != nil { output[6] = .tables([[0: .string("labels.txt"), 2: .byte(2)]]) }
    let metadata = FlatValue.file(root: [3: .tables([[3: .tables([output])]])], identifier: "M001")
    var archive = RawArchive(
      labels.map { [.init("labels.txt", Array($0.joined(separator: "\n").utf8))] } ?? [])
    archive.prefix = TestGraph.bytes([graph], metadata: metadata)
    return archive.members.isEmpty ? archive.prefix : archive.bytes
  }

  @Test("returns languages with probabilities, most likely first")
  func detects() throws {
    let detector = try LanguageDetector(.bytes(try model()))
    let predictions = try detector.languages(of: "abc")
    #expect(Set(predictions.map(\.languageCode)) == ["en", "de", "fr"])
    let probabilities: [Float] = predictions.map(\.probability)
    #expect(probabilities == probabilities.sorted(by: >))
    let sum: Float = probabilities.reduce(0, +)
    #expect(abs(sum - 1) < 1e-5)
    #expect(try detector.languages(of: "ABC") == predictions)
    #expect(try detector.languages(of: String(repeating: "abc", count: 300_000)).count == 3)
    #expect(try detector.languages(of: "").count == 3)
  }

  @Test("options filter languages")
  func options() async throws {
    func codes(_ change: (inout LanguageDetectorOptions) -> Void) throws -> [String] {
      try LanguageDetector(.bytes(try model()), configure: change).languages(of: "abc").map(
        \.languageCode)
    }
    let all = try codes { _ in }
    #expect(try codes { $0.maxResults = 1 } == [all[0]])
    #expect(try codes { $0.categoryAllowlist = ["fr"] } == ["fr"])
    #expect(try codes { $0.categoryDenylist = [all[0]] } == Array(all.dropFirst()))
    #expect(try codes { $0.scoreThreshold = 1.1 } == [])
    #expect(taskError { try codes { $0.maxResults = 0 } }?.code == .invalidOption)
    #expect(
      try await LanguageDetector(.bytes(try model())).languages(of: "abc", priority: .userInitiated)[0].languageCode
        == all[0]
    )
  }

  @Test("models without labels, or with several outputs, are rejected")
  func refuses() throws {
    let unnamed = taskError { try LanguageDetector(.bytes(try model(labels: nil))) }
    #expect(
      unnamed
        == TaskError(
          .missingMetadata, "a language detection model names its languages in a label file, this one has none"))
    let wrong = taskError { try LanguageDetector(.bytes(try model(labels: ["en"]))) }
    #expect(wrong?.code == .invalidModel)
    var two = WordModel(.pattern(" "), vocabulary: "a 1")
    two.extraOutputs = 1
    #expect(taskError { try LanguageDetector(.bytes(two.bytes)) }?.message.contains("one output") == true)
  }
}
