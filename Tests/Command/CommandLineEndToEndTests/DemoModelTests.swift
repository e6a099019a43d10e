import Foundation
import Swiftlet
import SwiftletCommandLine
import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

@testable import SwiftletTool

@Suite("demo with third-party models")
struct DemoModelTests {
  /// A directory with bundles whose names are meaningless, and with images.
  private struct Place {
    let folder: TemporaryFolder
    var bundles: String { folder.path("bundles") }
    var demo: String { folder.path("demo") }
    var images: String { folder.path("images") }

    init() throws {
      folder = try TemporaryFolder()
      for name in ["bundles", "images"] {
        try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
      }
      for (name, bytes) in [
        ("a", SyntheticBundles.hands), ("b", SyntheticBundles.faces), ("c", SyntheticBundles.poses),
      ] {
        _ = try folder.write(bytes, to: "bundles/\(name).task")
      }
      for name in ["p10", "p2"] {
        try FileManager.default.moveItem(
          atPath: GrayImage.write(to: folder, width: 64, height: 48), toPath: folder.path("images/\(name).png"))
      }
    }

    func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Tool.Result {
      try Tool.run(
        ["demo", "--output-dir", demo, "--size", "64", "--frames", "1", "--threads", "1", "--json"] + arguments,
        environment: environment)
    }

    var page: String { get throws { try String(contentsOf: folder.url("demo/index.html"), encoding: .utf8) } }
  }

  private func models(_ result: Tool.Result) throws -> (tasks: [[String: Any]], leftOut: [[String: String]]) {
    let models = try #require(try result.json()["models"] as? [String: Any], "\(result.error)")
    return (
      try #require(models["tasks"] as? [[String: Any]]), try #require(models["skipped"] as? [[String: String]])
    )
  }

  @Test("recognizes bundles by their members, and draws their results into the images")
  func bundles() throws {
    let place = try Place()
    let result = try place.run("--models", place.bundles, "--images", place.images)
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    let (tasks, leftOut) = try models(result)
    #expect(leftOut.isEmpty)
    #expect(tasks.map { $0["task"] as? String } == ["landmark-hands", "landmark-faces", "landmark-poses"])
    let page = try place.page
    for task in tasks {
      #expect(task["median_ms"] as? Double ?? 0 > 0)
      let entries = try #require(task["pictures"] as? [[String: Any]])
      #expect(
        entries.map { $0["image"] as? String } == ["p2", "p10"].map { "\(place.images)/\($0).png" },
        "in the order of their numbers")
      for entry in entries {
        #expect((entry["found"] as? [String])?.count == 1)
        let file = try #require(entry["annotated"] as? String)
        #expect(page.contains("src=\"\(file)\""))
        let drawn = try ImageDecoder.decode(path: place.demo + "/" + file).image
        #expect(drawn.width == 64 && drawn.height == 48)
        // The annotations add colors to the gray image.
        let bytes = try drawn.converted(to: .rgb8).packedBytes()
        #expect(stride(from: 0, to: bytes.count, by: 3).contains { abs(Int(bytes[$0]) - Int(bytes[$0 + 2])) > 60 })
      }
    }
    #expect(page.contains("<h2>Hands</h2>") && page.contains("<h2>Face meshes</h2>") && page.contains("<h2>Poses</h2>"))
    #expect(page.contains("href=\"#model-3\"") && page.contains("id=\"model-3\"") && !page.contains("Left out"))
  }

  @Test("reports broken files and other kinds on the page and on standard error, and continues")
  func leftOut() throws {
    let place = try Place()
    let broken = try place.folder.write(Array(SyntheticBundles.hands.prefix(400)), to: "bundles/0.task")
    let other = try place.folder.write(SyntheticBundles.bundle([("x<b>.tflite", [1])]), to: "bundles/1.task")
    let model = try place.folder.write(SyntheticBundles.model([([1], [1, 1])], side: 4), to: "bundles/2.tflite")
    // The names are right, but the contents of the members are not.
    let hollow = try place.folder.write(
      SyntheticBundles.bundle([("hand_detector.tflite", [1, 2]), ("hand_landmarks_detector.tflite", [3])]),
      to: "bundles/3.task")
    let text = try place.folder.write(Array("no image".utf8), to: "images/0.jpg")
    _ = try place.folder.write(Array("labels".utf8), to: "bundles/labels.txt")
    let result = try place.run("--models", place.bundles, "--images", place.images)
    #expect(result.status == 0)
    let (tasks, leftOut) = try models(result)
    #expect(tasks.count == 3)
    #expect(Set(leftOut.compactMap { $0["file"] }) == [broken, other, model, hollow, text])
    let lines = result.error.split(separator: "\n")
    let page = try place.page
    for file in [broken, other, model, hollow, text] {
      #expect(lines.count { $0.hasPrefix("warning: \(file): ") } == 1, "\(file)")
      #expect(page.contains("<code>\(file)</code>: "))
    }
    #expect(lines.count == 5 && page.contains("x&lt;b&gt;.tflite") && !page.contains("x<b>"))
  }

  @Test("uses generated images if no others are named")
  func syntheticImages() throws {
    let place = try Place()
    let (tasks, _) = try models(try place.run("--models", place.bundles))
    let entries = try #require(tasks.first?["pictures"] as? [[String: Any]])
    #expect(entries.count == 5 && entries.first?["image"] as? String == "pictures/faces-1.png")
    // Without either option, no models are searched.
    #expect(try !DemoModels(Arguments([], for: DemoCommand.declaration)).isWanted)
  }

  @Test("uses downloaded models without network requests")
  func fetched() throws {
    let place = try Place()
    let store = ["SWIFTLET_MODELS": place.folder.path("store")]
    let none = try place.run("--images", place.images, environment: store)
    #expect(none.status == 0 && none.error.contains("swiftlet models fetch hand-landmarker"), "\(none.error)")
    try FileManager.default.moveItem(
      atPath: place.bundles + "/a.task", toPath: place.bundles + "/hand-landmarker.task")
    let fetch = try Tool.run(
      ["models", "fetch", "hand-landmarker", "--from", place.bundles], environment: store)
    #expect(fetch.status == 0, "\(fetch.error)")
    let result = try place.run("--images", place.images, "--models", "fetched", environment: store)
    let (tasks, leftOut) = try models(result)
    #expect(tasks.count == 1 && tasks.first?["model"] as? String == "hand-landmarker" && leftOut.isEmpty)
  }

  @Test("uses at most a dozen images, with large ones scaled down, and reports it")
  func manyImages() throws {
    let place = try Place()
    let large = try GrayImage.write(to: place.folder, width: 2600, height: 1000)
    try FileManager.default.moveItem(atPath: large, toPath: place.images + "/p0.png")
    for number in 20..<32 {
      try FileManager.default.copyItem(atPath: place.images + "/p2.png", toPath: place.images + "/p\(number).png")
    }
    for name in ["b", "c"] { try FileManager.default.removeItem(atPath: place.bundles + "/\(name).task") }
    let result = try place.run("--models", place.bundles, "--images", place.images)
    #expect(result.error.contains("holds 15 images; the first 12 are shown"))
    let entries = try #require(try models(result).tasks.first?["pictures"] as? [[String: Any]])
    #expect(entries.count == 12)
    let first = try ImageDecoder.decode(path: place.demo + "/" + (entries[0]["annotated"] as? String ?? "")).image
    #expect(first.width == 1024 && first.height == 393)
  }

  @Test("runs MediaPipe's own bundles on photos", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
  func photographs() throws {
    let place = try Place()
    for name in ["p10", "p2"] { try FileManager.default.removeItem(atPath: place.images + "/\(name).png") }
    for name in ["hand_thumb_up", "face"] {
      try FileManager.default.copyItem(
        atPath: TestData.path("images/\(name).jpg"), toPath: place.images + "/\(name).jpg")
    }
    let result = try place.run("--models", TestData.path("tasks/models"), "--images", place.images)
    #expect(result.status == 0, "\(result.error)")
    let (tasks, leftOut) = try models(result)
    func found(_ task: String) -> [Int] {
      let entries = tasks.first { $0["task"] as? String == task }?["pictures"] as? [[String: Any]] ?? []
      return entries.map { ($0["found"] as? [String])?.count ?? -1 }
    }
    #expect(found("landmark-hands") == [0, 1] && found("landmark-faces") == [2, 0])
    #expect(found("landmark-poses").count == 2 && found("segment").count == 2)
    #expect(leftOut.contains { $0["file"]?.hasSuffix("yamnet.tflite") == true })
  }

  @Test("reports wrong usage in one line")
  func usage() throws {
    let place = try Place()
    let useless = try place.run("--models", place.bundles, "--pictures-only")
    #expect(
      useless.status == 2 && useless.error.contains("--images-only and --models or --images are mutually exclusive"))
    let missing = try place.run("--models", place.folder.path("nowhere"))
    #expect(missing.status == 1 && missing.error.contains("there is no such folder"), "\(missing.error)")
    #expect(!FileManager.default.fileExists(atPath: place.demo))
    try FileManager.default.createDirectory(atPath: place.folder.path("empty"), withIntermediateDirectories: true)
    for (folder, hint) in [("nowhere", "there is no such folder"), ("empty", "the folder holds no images")] {
      let words = ["--models", place.bundles, "--images", place.folder.path(folder)]
      var models = try DemoModels(Arguments(words, for: DemoCommand.declaration))
      var made = try DemoFolder(place.demo)
      let error: ToolError? = thrownError { try models.run(drawn: [], runtime: RuntimeOptions(), &made) { _ in } }
      #expect(error?.file == place.folder.path(folder) && error?.reason.hasPrefix(hint) == true)
      made.discard()
    }
    let noModels = try DemoModels(Arguments(["--models", place.folder.path("empty")], for: DemoCommand.declaration))
    #expect(noModels.isWanted && noModels.stepCount == 0)
    #expect(noModels.left.map(\.reason) == ["holds no .task bundles and no .tflite models"])
  }
}
