import Foundation
import SwiftletTestSupport
import Testing

@Suite("embed")
struct EmbedCommandTests {
  private func embedding(_ arguments: [String]) throws -> [String: Any] {
    let json = try Tool.run(["embed", "--json"] + arguments).json()
    #expect(Set(json.keys) == ["image", "embeddings"])
    let heads = try #require(json["embeddings"] as? [[String: Any]])
    #expect(heads.count == 1 && heads[0]["head_index"] as? Int == 0 && heads[0]["head_name"] is NSNull)
    return heads[0]
  }

  @Test("prints an image's embedding as numbers, normalized or as int8 if requested")
  func values() throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.embed.write(to: folder), image = try FlagImage.write(to: folder)
    let expected = FlagImage.pixels.flatMap(\.self).map { Double($0) / 255 }
    let plain = try #require(try embedding([image, "--model", model])["float"] as? [Double])
    #expect(plain.count == 48 && zip(plain, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    let length = expected.map { $0 * $0 }.reduce(0, +).squareRoot()
    let normalized = try #require(try embedding([image, "--model", model, "--l2-normalize"])["float"] as? [Double])
    #expect(zip(normalized, expected).allSatisfy { abs($0 - $1 / length) < 1e-6 })
    let bytes = try embedding([image, "--model", model, "--quantize"])
    #expect(bytes["float"] == nil)
    // 1 maps to 128, which an int8 cannot represent.
    #expect((bytes["quantized"] as? [Int]) == expected.map { min(127, Int(($0 * 128).rounded())) })
  }

  @Test("only uses the region of interest")
  func region() throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.embed.write(to: folder), image = try FlagImage.write(to: folder)
    let red = try #require(try embedding([image, "--model", model, "--roi", "0,0,1,0.25"])["float"] as? [Double])
    #expect(stride(from: 0, to: 48, by: 3).allSatisfy { red[$0] == 1 && red[$0 + 1] == 0 && red[$0 + 2] == 0 })
  }

  @Test("compares two images, given as operands, on standard input, or in a list")
  func compare() throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.embed.write(to: folder)
    let flag = try FlagImage.write(to: folder), gray = try GrayImage.write(to: folder)
    let expected = 8 + 4 * 0.4 + 4 * 0.2, lengths = (48 * (8 + 4 * 0.16 + 4 * 0.04)).squareRoot()
    for (arguments, input, images) in [
      ([flag, gray, "--json"], [], [flag, gray]),
      ([flag, gray, "--jsonl"], [], [flag, gray]),
      (["-", gray, "--json"], try FlagImage.bytes, ["-", gray]),
      (["--stdin-list", "--json"], Array("\(flag)\n\(gray)\n".utf8), [flag, gray]),
    ] as [([String], [UInt8], [String])] {
      let result = try Tool.run(["embed", "--model", model, "--compare"] + arguments, input: input)
      let json = try result.json()
      #expect(
        Set(json.keys) == ["images", "cosine_similarity"] && json["images"] as? [String] == images, "\(result.error)")
      let similarity = try #require(json["cosine_similarity"] as? Double)
      #expect(abs(similarity - expected / lengths) < 1e-6)
    }
    #expect(try Tool.run("embed", "--model", model, "--compare", flag, flag).output.contains("cosine similarity 1"))
  }

  @Test("only compares exactly two images")
  func compareOtherCounts() throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.embed.write(to: folder), flag = try FlagImage.write(to: folder)
    for (arguments, input, hint) in [
      ([flag], "", "got 1"), ([flag, flag, flag], "", "got 3"), (["--stdin-list"], flag + "\n", "got 1"),
      ([flag, flag, "--annotate", folder.path("a.png")], "", "are mutually exclusive"),
    ] {
      let result = try Tool.run(["embed", "--model", model, "--compare"] + arguments, input: Array(input.utf8))
      #expect(result.status == 2 && result.output.isEmpty && result.error.contains(hint), "\(result.error)")
    }
  }

  @Test("prints the name and the first values as text")
  func text() throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.embed.write(to: folder), image = try FlagImage.write(to: folder)
    let result = try Tool.run("embed", image, "--model", model)
    #expect(result.output == "\(image):\n  head 0, 48 values: 1.0000, 0.0000, 0.0000, 1.0000, ...\n")
  }

  @Test(
    "finds two parts of one photo more similar than two photos with a real model",
    .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
  func realModel() throws {
    let model = TestData.path("models/embedding/mobilenet_v2_035_96_embedder.tflite")
    func similarity(_ first: String, _ second: String) throws -> Double {
      let json = try Tool.run(
        "embed", "--compare", "--json", "--model", model, TestData.path("images/" + first),
        TestData.path("images/" + second)
      ).json()
      return try #require(json["cosine_similarity"] as? Double)
    }
    let same = try similarity("burger.jpg", "burger_palette.png"), other = try similarity("burger.jpg", "owl.jpg")
    #expect(same > 0.7 && other < same)
  }
}
