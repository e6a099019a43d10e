import Foundation
import SwiftletTestSupport
import Testing

@Suite("Report pages")
struct ReportPageTests {
  /// Writes the model `floor(x × 2)`, with an unknown operator if `isComplete` is false.
  private func write(_ folder: TemporaryFolder, isComplete: Bool = true) throws -> String {
    var graph = TestGraph()
    let x = graph.input(.float32, [4])
    let two = graph.constant([Float(2)])
    let product = graph.tensor(.float32, [4])
    let result = graph.output(.float32, [4])
    graph.add(.mul, [x, two], [product])
    if isComplete {
      graph.add(.floor, [product], [result])
    } else {
      graph.add(custom: "</script><b>Unheard", [product], [result])
    }
    return try folder.write(TestGraph.bytes([graph]), to: "model.tflite")
  }

  @Test("inspect --html writes a page in addition to its output")
  func inspect() throws {
    let folder = try TemporaryFolder()
    let model = try write(folder), page = folder.path("page.html")
    let plain = try Tool.run("inspect", model, "--json")
    let result = try Tool.run("inspect", model, "--json", "--html", page)
    #expect(result.status == 0 && result.output == plain.output && result.error.isEmpty)
    let data = try PageData.read(page)
    let graph = try #require((data["graphs"] as? [[String: Any]])?.first)
    #expect((graph["operators"] as? [[String: Any]])?.map { $0["op"] as? String } == ["MUL", "FLOOR"])
    #expect((graph["tensors"] as? [[String: Any]])?[1]["values"] as? String == "2.0")
    let arena = try #require(data["arena"] as? [String: Any])
    #expect((arena["bytes"] as? Int) == (try plain.json()["arena_bytes"] as? Int))
    #expect((arena["operators"] as? [[Any]])?.count == 2)
  }

  @Test("a model that cannot run has a page with the reason")
  func unsupported() throws {
    let folder = try TemporaryFolder()
    let page = folder.path("page.html")
    #expect(try Tool.run("inspect", try write(folder, isComplete: false), "--html", page).status == 0)
    let data = try PageData.read(page)
    #expect(data["supported"] as? Bool == false && data["arena"] == nil)
    let missing = try #require((data["unsupported"] as? [[String: Any]])?.first)
    #expect(missing["op"] as? String == "</script><b>Unheard" && missing["index"] as? Int == 1)
  }

  @Test("bench --html contains the operators of every model, whether or not they are printed")
  func bench() throws {
    let folder = try TemporaryFolder()
    let model = try write(folder), page = folder.path("page.html")
    for extra in [[], ["--profile"]] {
      let result = try Tool.run(["bench", model, model, "--runs", "7", "--html", page, "--json"] + extra)
      let printed = try #require(try result.json()["results"] as? [[String: Any]])
      #expect(result.status == 0 && printed.count == 2 && (printed[0]["operators"] != nil) == !extra.isEmpty)
      let models = try #require(try PageData.read(page)["models"] as? [[String: Any]])
      #expect(models.count == 2)
      #expect((models[1]["runs"] as? [Double])?.count == 7)
      #expect((models[1]["operators"] as? [[String: Any]])?.map { $0["op"] as? String } == ["MUL", "FLOOR"])
    }
  }

  @Test(
    "a page that cannot be written is a one-line error, and leaves no partial file",
    arguments: ["inspect", "bench"])
  func unwritable(command: String) throws {
    let folder = try TemporaryFolder()
    let page = folder.path("missing/page.html")
    let result = try Tool.run(command, try write(folder), "--html", page)
    #expect(result.status == 1)
    #expect(
      result.error.hasPrefix("error: \(page): cannot be written: ") && result.error.split(separator: "\n").count == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("missing")))
    let old = try folder.write([1, 2, 3], to: "old.html")
    #expect(try Tool.run(command, folder.path("no.tflite"), "--html", old).status == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == Data([1, 2, 3]))
  }

  private static let published = [
    "detection/efficientdet_lite0_320_random_int8.tflite", "detection/yolox_nano_416_nms_float.tflite",
    "misc/text_classification.tflite",
    "misc/mnist_lstm_float.tflite", "ops/aeq_sdpa_composite.tflite", "segmentation/deeplabv3_257_metadata.tflite",
  ]

  @Test(
    "published models have a page of a few megabytes at most, which a browser renders",
    .enabled(if: TestData.has("models"), "\(TestData.skipReason)"),
    .enabled(if: Browser.isAvailable, "no Chromium is installed"),
    arguments: published.filter { TestData.has("models/" + $0) })
  func publishedModels(name: String) throws {
    let folder = try TemporaryFolder()
    let page = folder.path("page.html")
    let json = try Tool.run("inspect", TestData.path("models/" + name), "--json", "--html", page).json()
    let size = try #require(try FileManager.default.attributesOfItem(atPath: page)[.size] as? Int)
    #expect(size < 3_000_000)
    let graph = try #require((json["subgraphs"] as? [[String: Any]])?.first)
    let drawn = try #require((try PageData.read(page)["graphs"] as? [[String: Any]])?.first)
    #expect(
      (drawn["operators"] as? [Any])?.count == graph["operator_count"] as? Int
        && (drawn["tensors"] as? [Any])?.count == graph["tensor_count"] as? Int)
    let visit = try Browser.screenshot(ofPage: page)
    #expect(visit.console.isEmpty, "\(visit.console)")
    #expect(try #require(visit.screenshot).colorCounts().count > 100)
  }
}
