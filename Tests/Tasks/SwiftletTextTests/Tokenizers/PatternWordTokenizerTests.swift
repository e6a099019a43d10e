import SwiftletTestSupport
import Testing

@testable import SwiftletText

@Suite("Regex tokenization")
struct PatternWordTokenizerTests {
  private let vocabulary = "<PAD> 9\n<START> 1\n<UNKNOWN> 2\nit's 3\ngood 4\nGOOD 5\nna 6\nve 7\n"

  private func model(_ vocabulary: String? = nil, pattern: String? = "[^\\w\\']+", length: Int = 6) -> WordModel {
    WordModel(.pattern(pattern), length: length, vocabulary: vocabulary ?? self.vocabulary)
  }

  @Test(
    "tokens start with the start ID, keep their case, and are padded",
    arguments: [
      ("it's good", [1, 3, 4, 9, 9, 9]), ("It's GOOD!", [1, 2, 5, 9, 9, 9]), ("", [1, 9, 9, 9, 9, 9]),
      (" \n", [1, 9, 9, 9, 9, 9]), ("naïve", [1, 6, 7, 9, 9, 9]), ("good\u{0}good", [1, 4, 4, 9, 9, 9]),
      ("good good good good good good good", [1, 4, 4, 4, 4, 4]), ("你好", [1, 9, 9, 9, 9, 9]),
    ] as [(String, [Float])])
  func write(text: String, expected: [Float]) throws {
    #expect(try numbers(model(), text) == expected)
  }

  @Test("omit special tokens that the vocabulary lacks")
  func missing() throws {
    #expect(try numbers(model("good 4"), "good bad") == [4, 0, 0, 0, 0, 0])
    #expect(try numbers(model(length: 1), "good") == [1])
  }

  @Test("a million characters are truncated to the model's length")
  func long() throws {
    let text = String(repeating: "good ", count: 200_000)
    #expect(try numbers(model(), text) == [1, 4, 4, 4, 4, 4])
    #expect(try numbers(model(), String(repeating: "x", count: 1_000_000)) == [1, 2, 9, 9, 9, 9])
  }

  @Test("a token ID out of the model's range fails the run, and the next text succeeds")
  func beyondTable() throws {
    var model = model()
    model.tableSize = 6
    model.vocabulary = "<PAD> 0\ngood 4\nbad 6\n"
    let embedder = try TextEmbedder(options: TextEmbedderOptions(baseOptions: model.base))
    let error = taskError { try embedder.embedding(of: "good bad") }
    #expect(error?.message.contains("index 6") == true, "\(error?.message ?? "")")
    #expect(try embedder.embedding(of: "good").values.floats == [4, 0, 0, 0, 0, 0])
  }

  @Test("metadata without a pattern, a vocabulary, or its file, and invalid patterns, are rejected")
  func refuses() {
    var unnamed = model()
    unnamed.vocabulary = nil
    var lost = model()
    lost.hasFiles = false
    for (model, code, hint) in [
      (model(pattern: nil), .missingMetadata, "no pattern"), (unnamed, .missingMetadata, "no vocabulary"),
      (lost, .missingMetadata, "vocab.txt"), (model(pattern: "("), .invalidModel, "character 1"),
      (model("good"), .invalidModel, "line 1"),
    ] as [(WordModel, TaskError.Code, String)] {
      let error = taskError { try numbers(model, "") }
      #expect(error?.code == code && error?.message.contains(hint) == true, "\(error?.message ?? "none")")
    }
  }
}
