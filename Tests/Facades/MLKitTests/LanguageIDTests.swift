import Foundation
import MLKit
import SwiftletTestSupport
import Testing

@Suite("ML Kit's language identification", .serialized, .timeLimit(.minutes(30)))
struct LanguageIDTests {
  /// A model in a file, whose languages have fixed probabilities.
  private final class Model: Sendable {
    let model: LocalModel
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init(_ probabilities: [Float], _ labels: [String]) throws {
      var graph = TestGraph()
      let text = graph.input(.string, [1])
      let hashes = graph.tensor(.int32, [1, 1, 1])
      graph.add(
        custom: "NGramHash", [text], [hashes],
        options: FlexMap.bytes(["seed": .int(7), "ngram_lengths": .ints([1]), "vocab_sizes": .ints([50])]))
      // The text has no influence: its hashes are multiplied by 0.
      let numbers = graph.tensor(.float32, [1, 1, 1])
      graph.add(.cast, [hashes], [numbers])
      let zeros = graph.tensor(.float32, [1, 1, 1])
      graph.add(.mul, [numbers, graph.constant([Float(0)], shape: [1])], [zeros])
      let row = graph.tensor(.float32, [1])
      graph.add(.reduceMax, [zeros, graph.constant([Int32(1), 2])], [row])
      graph.add(
        .add, [row, graph.constant(probabilities, shape: [1, probabilities.count])],
        [graph.output(.float32, [1, probabilities.count])])
      let output: [Int: FlatValue] = [
        0: .string("probability"), 6: .tables([[0: .string("labels.txt"), 2: .byte(2)]]),
      ]
      let metadata = FlatValue.file(root: [3: .tables([[3: .tables([output])]])], identifier: "M001")
      var archive = RawArchive([.init("labels.txt", Array(labels.joined(separator: "\n").utf8))])
      archive.prefix = TestGraph.bytes([graph], metadata: metadata)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("languages.tflite")
      try Data(archive.bytes).write(to: file)
      model = LocalModel(path: file.path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func identification(_ threshold: Float) -> LanguageIdentification {
      let options = LanguageIdentificationOptions(confidenceThreshold: threshold)
      options.model = model
      options.completionQueue = DispatchQueue(label: "completions")
      return LanguageIdentification.languageIdentification(options: options)
    }
  }

  @Test("returns the languages above the threshold, with every form of the call")
  func languages() async throws {
    let model = try Model([0.2, 0.7, 0.005], ["de", "en", "fr"]), identification = model.identification(0.1)
    #expect(try await identification.identifyLanguage(for: "text") == "en")
    let possible = try await identification.identifyPossibleLanguages(for: "text")
    #expect(possible.map(\.languageTag) == ["en", "de"] && possible.map(\.confidence) == [0.7, 0.2])
    let tag = await withCheckedContinuation { continuation in
      identification.identifyLanguage(for: "text") { tag, error in
        continuation.resume(returning: error == nil ? tag : nil)
      }
    }
    #expect(tag == "en")
    let tags = await withCheckedContinuation { continuation in
      identification.identifyPossibleLanguages(for: "text") { languages, error in
        continuation.resume(returning: error == nil ? languages?.map(\.languageTag) : nil)
      }
    }
    #expect(tags == ["en", "de"])
  }

  @Test(
    "without a likely language, the tag is 'und'",
    arguments: [(0.7, "en"), (0.71, "und"), (1, "und")] as [(Float, String)])
  func undetermined(threshold: Float, tag: String) async throws {
    let model = try Model([0.2, 0.7, 0.005], ["de", "en", "fr"]), identification = model.identification(threshold)
    #expect(try await identification.identifyLanguage(for: "text") == tag)
    let possible = try await identification.identifyPossibleLanguages(for: "text")
    #expect(possible.map(\.languageTag) == [tag])
    #expect(IdentifiedLanguageUndetermined == "und")
  }

  @Test("the default thresholds are 0.5 and 0.01", arguments: [nil, -1, 1.5, .nan] as [Float?])
  func defaults(threshold: Float?) async throws {
    let model = try Model([0.4, 0.01, 0.009], ["de", "en", "fr"])
    let identification: LanguageIdentification
    if let threshold {
      identification = model.identification(threshold)
    } else {
      LanguageIdentification.defaultModel = model.model
      defer { LanguageIdentification.defaultModel = nil }
      identification = LanguageIdentification.languageIdentification()
      _ = try await identification.identifyLanguage(for: "text")
    }
    #expect(try await identification.identifyLanguage(for: "text") == "und")
    #expect(try await identification.identifyPossibleLanguages(for: "text").map(\.languageTag) == ["de", "en"])
  }

  @Test("an unknown language is not reported")
  func unknown() async throws {
    let model = try Model([0.9, 0.1], ["unknown", "en"]), identification = model.identification(0.05)
    #expect(try await identification.identifyLanguage(for: "?") == "en")
  }

  @Test("a missing model is an error that names it")
  func missingModel() async throws {
    let options = LanguageIdentificationOptions(confidenceThreshold: 0.5)
    options.model = LocalModel(path: "/nowhere.tflite")
    let identification = LanguageIdentification.languageIdentification(options: options)
    await #expect { try await identification.identifyLanguage(for: "text") } throws: {
      ($0 as? MLKitError)?.code == .notFound && "\($0)".contains("/nowhere.tflite")
    }
  }
}
