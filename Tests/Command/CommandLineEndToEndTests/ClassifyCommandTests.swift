import Foundation
import SwiftletTestSupport
import Testing

@Suite("classify")
struct ClassifyCommandTests {
  private func categories(_ arguments: [String]) throws -> [[String: Any]] {
    let json = try Tool.run(["classify", "--json"] + arguments).json()
    #expect(Set(json.keys) == ["image", "classifications"])
    let heads = try #require(json["classifications"] as? [[String: Any]])
    #expect(heads.count == 1 && heads[0]["head_index"] as? Int == 0)
    return try #require(heads[0]["categories"] as? [[String: Any]])
  }

  @Test("prints the categories best first, within the requested number and score")
  func categories() throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.classify.write(to: folder), image = try FlagImage.write(to: folder)
    let all = try categories([image, "--model", model])
    let scores = all.compactMap { $0["score"] as? Double }
    #expect(all.count == 48 && scores == scores.sorted(by: >))
    #expect(Set(all[0].keys) == ["index", "score", "name", "display_name"] && all[0]["name"] is NSNull)
    // Red is the first value of each of the first eight pixels.
    #expect(Set(all.prefix(8).compactMap { $0["index"] as? Int }) == Set(stride(from: 0, to: 24, by: 3)))
    #expect(try categories([image, "--model", model, "--max-results", "2"]).count == 2)
    let good = try categories([image, "--model", model, "--score-threshold", "0.3"])
    #expect(good.count == 12 && good.allSatisfy { ($0["score"] as? Double ?? 0) >= 0.3 })
  }

  @Test("only uses the region of interest")
  func region() throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.classify.write(to: folder), image = try FlagImage.write(to: folder)
    let found = try categories([image, "--model", model, "--roi", "0,0,1,0.25", "--score-threshold", "0.9"])
    #expect(found.count == 16)
  }

  @Test("prints the best five as text, and how to get more")
  func text() throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.classify.write(to: folder), image = try FlagImage.write(to: folder)
    let lines = try Tool.run("classify", image, "--model", model).output.split(separator: "\n")
    #expect(lines.count == 7 && lines[1].hasPrefix("  1.000 class ") && lines[6].contains("43 more"))
    #expect(
      try Tool.run("classify", image, "--model", model, "--max-results", "7").output.split(separator: "\n").count == 8
    )
    #expect(
      try Tool.run("classify", image, "--model", model, "--score-threshold", "2").output.hasSuffix("  nothing\n"))
  }

  @Test("prints classes of a published model for lists", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
  func realModel() throws {
    let model = TestData.path("models/classification/mobilenet_v1_0.25_224_quant.tflite"),
      image = TestData.path("images/burger.jpg")
    let best = try categories([image, "--model", model, "--max-results", "1"])
    #expect(best.count == 1 && best[0]["name"] as? String == "cheeseburger" && best[0]["index"] as? Int == 934)
    let allowed = try categories([image, "--model", model, "--allow", "bagel,guacamole"])
    #expect(Set(allowed.compactMap { $0["name"] as? String }) == ["bagel", "guacamole"])
    let denied = try categories([image, "--model", model, "--deny", "cheeseburger", "--max-results", "3"])
    #expect(denied.count == 3 && !denied.contains { $0["name"] as? String == "cheeseburger" })
    let shown = try Tool.run("classify", image, "--model", model, "--annotate", "/dev/null/none.png")
    #expect(shown.status == 1 && shown.error.contains("/dev/null/none.png"))
  }
}
