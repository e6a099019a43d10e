import Foundation
import SwiftletTestSupport
import Testing

@Suite("Text commands")
struct TextCommandTests {
  private let folder: TemporaryFolder
  private let model: String

  init() throws {
    folder = try TemporaryFolder()
    let words = WordModel(
      .pattern("[^a-z]+"), length: 3, vocabulary: "<UNKNOWN> 2\na 5\nb 7\n", labels: ["first", "second", "third"])
    model = try folder.write(words.bytes, to: "words.tflite")
  }

  private func lines(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
  }

  @Test("classify-text prints one object for a text, and a list for several or for standard input")
  func classify() throws {
    let json = try Tool.run("classify-text", "--model", model, "--json", "b a", "--max-results", "1").json()
    #expect(Set(json.keys) == ["text", "classifications"] && json["text"] as? String == "b a")
    let head = try #require((json["classifications"] as? [[String: Any]])?.first)
    #expect(head["head_index"] as? Int == 0 && head["head_name"] as? String == "numbers")
    let category = try #require((head["categories"] as? [[String: Any]])?.first)
    #expect(Set(category.keys) == ["index", "score", "name", "display_name"])
    #expect(category["index"] as? Int == 0 && category["score"] as? Double == 7)
    #expect(category["name"] as? String == "first" && category["display_name"] is NSNull)

    for (arguments, input) in [(["a", "b"], ""), (["-"], "a\nb\n"), (["a", "-"], "b")] as [([String], String)] {
      let result = try Tool.run(["classify-text", "--model", model, "--json"] + arguments, input: Array(input.utf8))
      let list = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]]
      #expect(list?.map { $0["text"] as? String } == ["a", "b"], "\(result.error)")
    }
    #expect(try Tool.run("classify-text", "--model", model, "--json", "-").output == "[]\n")
  }

  @Test("texts are processed concurrently, in order")
  func jobs() throws {
    let texts = (0..<200).map { String(repeating: "a b ", count: ($0 * 37) % 50) + "\($0)" }
    let results = try ["1", "4"].map { jobs in
      try Tool.run(
        ["classify-text", "--model", model, "--jsonl", "--jobs", jobs, "-"],
        input: Array(texts.joined(separator: "\n").utf8))
    }
    #expect(results[0].status == 0 && results[1].output == results[0].output)
    #expect(try lines(results[0].output).map { $0["text"] as? String } == texts)
  }

  @Test("--jsonl prints one line per text, including empty texts")
  func jsonLines() throws {
    let result = try Tool.run(
      ["classify-text", "--model", model, "--jsonl", "-"], input: Array("a\n\nnaïve\r\n\u{0}x".utf8))
    #expect(result.status == 0, "\(result.error)")
    #expect(try lines(result.output).map { $0["text"] as? String } == ["a", "", "naïve", "\u{0}x"])
    let both = try Tool.run("classify-text", "--model", model, "--json", "--jsonl", "a")
    #expect(both.status == 2 && both.error.contains("are mutually exclusive"))
  }

  @Test(
    "prints the best categories as text, with long and unsafe texts sanitized")
  func text() throws {
    #expect(
      try Tool.run("classify-text", "--model", model, "a b").output
        == "a b:\n  7.000 second\n  5.000 first\n  0.000 third\n")
    let long = String(repeating: "a", count: 100)
    #expect(
      try Tool.run("classify-text", "--model", model, long).output.hasPrefix(String(repeating: "a", count: 60) + "…:"))
    let hostile = try Tool.run("classify-text", "--model", model, "\u{1B}[31mred")
    #expect(hostile.status == 0 && !hostile.output.contains("\u{1B}"))
  }

  @Test("accepts texts of a megabyte, and invalid UTF-8")
  func hostileTexts() throws {
    let long = [UInt8](repeating: 0x61, count: 1 << 20)
    let result = try Tool.run(
      ["classify-text", "--model", model, "--jsonl", "-"],
      input: long + [0x0A, 0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0x0A])
    let found = try lines(result.output)
    #expect(result.status == 0 && found.count == 2 && (found[0]["text"] as? String)?.utf8.count == 1 << 20)
    #expect((found[1]["text"] as? String)?.unicodeScalars.allSatisfy { $0 == "\u{FFFD}" } == true)
  }

  @Test("embed-text prints vectors, and compares two texts")
  func embed() throws {
    let json = try Tool.run("embed-text", "--model", model, "--json", "a b").json()
    #expect(Set(json.keys) == ["text", "embeddings"])
    let head = try #require((json["embeddings"] as? [[String: Any]])?.first)
    #expect(head["float"] as? [Double] == [5, 7, 0] && head["head_index"] as? Int == 0)
    let bytes = try Tool.run("embed-text", "--model", model, "--json", "a", "--l2-normalize", "--quantize").json()
    #expect(((bytes["embeddings"] as? [[String: Any]])?.first?["quantized"] as? [Int]) == [127, 0, 0])
    #expect(
      try Tool.run("embed-text", "--model", model, "a").output
        == "a:\n  numbers, 3 values: 5.0000, 0.0000, 0.0000, ...\n")

    let compared = try Tool.run("embed-text", "--model", model, "--compare", "--json", "a b", "b a").json()
    #expect(compared["texts"] as? [String] == ["a b", "b a"])
    let similarity = try #require(compared["cosine_similarity"] as? Double)
    #expect(abs(similarity - 70.0 / 74) < 1e-9)
    let piped = try Tool.run(["embed-text", "--model", model, "--compare", "-"], input: Array("a\nb\nc\n".utf8))
    #expect(piped.status == 2 && piped.error.contains("got 3"))
  }

  @Test("detect-language names languages with their probabilities")
  func languages() throws {
    let json = try Tool.run("detect-language", "--model", model, "--json", "b a", "--max-results", "2").json()
    #expect(Set(json.keys) == ["text", "languages"])
    let languages = try #require(json["languages"] as? [[String: Any]])
    #expect(languages.map { $0["code"] as? String } == ["first", "second"])
    #expect(languages.map { $0["probability"] as? Double } == [7, 5])
    #expect(try Tool.run("detect-language", "--model", model, "b").output.hasPrefix("b:\n  7.000 first\n"))
  }

  @Test("reports unusable models, and warns about unknown categories")
  func errors() throws {
    let missing = try Tool.run("classify-text", "--model", folder.path("none.tflite"), "a")
    #expect(missing.status == 1 && missing.error.contains("none.tflite") && missing.output.isEmpty)
    let other = try Tool.run("embed-text", "--model", try TinyTask.embed.write(to: folder), "a")
    #expect(other.status == 1 && other.error.contains("embed.tflite") && other.error.split(separator: "\n").count == 1)
    let unknown = try Tool.run("classify-text", "--model", model, "--allow", "frist", "a")
    #expect(unknown.status == 0 && unknown.error.contains("did you mean 'first'?"))
  }
}
