import Foundation
import SwiftletImage
import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

@Suite("demo")
struct DemoCommandTests {
  /// The output of one demo run, shared by the tests that only read it.
  private struct Made: @unchecked Sendable {
    let root: TemporaryFolder
    let result: Tool.Result
    let page: String

    static let shared: Result<Made, any Error> = Result {
      // Global constants are never released, so the directory would remain.
      atexit { try? FileManager.default.removeItem(atPath: Made.shared.get().root.path("")) }
      return try Made()
    }

    private init(frames: Int = 6) throws {
      root = try TemporaryFolder()
      result = try Tool.run(
        "demo", "--output-dir", root.path("demo"), "--size", "96", "--frames", "\(frames)", "--threads", "1", "--json")
      page = (try? String(contentsOf: root.url("demo/index.html"), encoding: .utf8)) ?? ""
    }

    /// All files in the directory, by relative path.
    var files: Set<String> { DemoCommandTests.files(below: root.path("demo")) }
  }

  private static func files(below path: String) -> Set<String> {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return Set(
      names.filter { name in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder) && !isFolder.boolValue
      })
  }

  @Test("writes the page and all of its images, and refers to nothing else")
  func files() throws {
    let made = try Made.shared.get()
    #expect(made.result.status == 0, "\(made.result.error)")
    let names =
      ["faces", "objects"].flatMap { name in (1...4).map { "\(name)-\($0).png" } }
      + (1...3).map { "segments-\($0).png" }
      + ["things", "views"].flatMap { name in (1...6).map { "\(name)-\($0).png" } }
    let frames = (0..<6).flatMap { ["pictures/video/frame_00000\($0).png", "tracking/frame_00000\($0).jpg"] }
    let sounds = [
      "silence", "tone", "two-tones", "rising-tone", "falling-tone", "warble", "clicks", "noise",
    ].flatMap { ["sounds/\($0).wav", "sounds/\($0).png"] }
    #expect(
      made.files == Set(sounds + names + names.map { "pictures/" + $0 } + frames + ["index.html", "tracking.png"]))
    // The references in attributes and in the player's data.
    let references =
      made.page.matches(of: /(?:src|href)="([^"]*)"/).map { String($0.1) }
      + made.page.matches(of: /"(tracking\/[^"]*)"/).map { String($0.1) }
    #expect(references.count > 60)
    for reference in references where !reference.hasPrefix("#") && reference != "data:," {
      #expect(made.files.contains(reference), "\(reference) is not there")
    }
    #expect(
      !made.page.contains("http:") && !made.page.contains("https:") && !made.page.contains("@import")
        && !made.page.contains("url("))
  }

  @Test("prints the detections and the ground truth of each task, as on the page")
  func results() throws {
    let made = try Made.shared.get()
    let report = try made.result.json()
    let tasks = try #require(report["tasks"] as? [[String: Any]])
    #expect(tasks.map { $0["task"] as? String } == ["detect-faces", "detect-objects", "segment", "classify", "embed"])
    for task in tasks {
      let entries = try #require(task["pictures"] as? [[String: Any]])
      #expect((task["median_ms"] as? Double ?? 0) > 0 && !entries.isEmpty)
      for entry in entries {
        let found = try #require(entry["found"] as? String), expected = try #require(entry["expected"] as? String)
        #expect(made.page.contains("<td>\(found)</td>") && made.page.contains("<td>\(expected)</td>"))
        let annotated = try #require(entry["annotated"] as? String), image = try #require(entry["image"] as? String)
        let drawn = try ImageDecoder.decode(path: made.root.path("demo/" + annotated)).image
        #expect(drawn.width == 96 && drawn.height == 96)
        #expect(try ImageDecoder.decode(path: made.root.path("demo/" + image)).image.width == 96)
      }
    }
    let rows = tasks.flatMap { $0["pictures"] as? [[String: Any]] ?? [] }
    let agreeing = rows.count { $0["agrees"] as? Bool == true }
    let others = ["sounds", "sentences"].flatMap { key in
      ((report[key] as? [String: Any])?["examples"] as? [[String: Any]] ?? []).map { $0["agrees"] as? Bool == true }
    }
    // One chip per image, for the video, and per sound and sentence; each agrees completely or not.
    let good = made.page.components(separatedBy: #"<span class="chip good">"#).count - 1
    let all = made.page.components(separatedBy: #"<span class="chip "#).count - 1
    #expect(all == rows.count + 1 + others.count)
    #expect((agreeing + others.count { $0 }...agreeing + others.count { $0 } + 1).contains(good))
    for task in tasks {
      let median = try #require(task["median_ms"] as? Double)
      // Three digits, or one decimal from ten on.
      let shown = String(format: median < 1 ? "%.3f" : median < 10 ? "%.2f" : "%.1f", median)
      #expect(made.page.contains("<strong>\(shown)</strong> ms"), "\(median)")
    }
    let embedding = try #require(tasks.last?["cosine_similarities"] as? [[Double]])
    #expect(embedding.count == 6 && embedding.indices.allSatisfy { abs(embedding[$0][$0] - 1) < 1e-6 })
    for value in embedding.joined() {
      let share = Int(max(0, min(1, value)) * 100)
      #expect(made.page.contains(#"style="--share: \#(share)%">\#(String(format: "%.2f", value))</td>"#))
    }
    let tracking = try #require(report["tracking"] as? [String: Any])
    #expect((tracking["frames"] as? [String])?.count == 6 && tracking["objects"] as? Int == 3)
    #expect((report["run"] as? [String: Any])?["isa"] is String)
  }

  @Test("detects the generated objects at the default image size")
  func agreement() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.run("demo", "--output-dir", folder.path("demo"), "--size", "256", "--frames", "12", "--json")
    #expect(result.status == 0, "\(result.error)")
    let report = try result.json()
    func column(_ task: String, _ key: String) throws -> [String] {
      let tasks = try #require(report["tasks"] as? [[String: Any]])
      let entries = tasks.first { $0["task"] as? String == task }?["pictures"] as? [[String: Any]] ?? []
      #expect(entries.allSatisfy { $0["agrees"] as? Bool == true }, "\(entries.map { $0["agreement"] ?? "" })")
      return entries.compactMap { $0[key] as? String }
    }
    /// Returns the numbers in texts.
    func numbers(_ texts: [String]) -> [Double] {
      texts.flatMap { $0.matches(of: /[0-9]+\.[0-9]+/).compactMap { Double($0.0) } }
    }
    /// Returns names with their scores removed.
    func names(_ texts: [String]) -> [String] { texts.map { $0.replacing(/\ [0-9.]+/, with: "") } }
    #expect(try column("detect-faces", "expected") == ["1 face", "2 faces", "3 faces", "no face"])
    #expect(
      try column("detect-faces", "found").map { $0.split(separator: ",").count } == [2, 3, 4, 1])
    #expect(try column("detect-faces", "agreement").last == "nothing, as drawn")
    // In units of the face's width, not the image's.
    let distances = try numbers(column("detect-faces", "agreement"))
    #expect(distances.count == 3 && distances.allSatisfy { (1.5...5).contains($0) }, "\(distances)")
    let objects = try column("detect-objects", "expected")
    #expect(objects.map { $0.split(separator: ",").count } == [2, 3, 4, 5])
    #expect(try names(column("detect-objects", "found")) == objects)
    #expect(try column("segment", "found") == column("segment", "expected"))
    #expect(try numbers(column("segment", "agreement")).allSatisfy { (85..<100).contains($0) })
    let best = try column("classify", "found").map { String($0.split(separator: " ")[0]) }
    #expect(try best == column("classify", "expected") && best.count == 6)
    #expect(
      try column("embed", "found").map { $0.split(separator: ",")[0] }
        == [2, 1, 4, 3, 6, 5].map { "most like views-\($0)" })
    #expect(try column("embed", "expected") == [2, 1, 4, 3, 6, 5].map { "the thing of views-\($0)" })
    #expect(try numbers(column("embed", "found")).allSatisfy { (0.9..<1).contains($0) })
    let tracking = try #require(report["tracking"] as? [String: Any])
    #expect(tracking["objects"] as? Int == 3 && (3...7).contains(tracking["ids"] as? Int ?? 0))
    #expect((0...5).contains(tracking["id_changes"] as? Int ?? -1))
    #expect(((report["tracking"] as? [String: Any])?["recall"] as? Double ?? 0) > 0.7)
  }

  @Test("only generates images if requested, and the tasks run on them with the bundled models")
  func picturesOnly() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("demo")
    let result = try Tool.run("demo", "--pictures-only", "--output-dir", path, "--size", "64", "--frames", "2")
    #expect(result.status == 0 && result.output.contains("\(path)/pictures/faces-1.png\n"), "\(result.error)")
    let files = Self.files(below: path)
    #expect(files.count == 25 && files.allSatisfy { $0.hasPrefix("pictures/") })
    for (command, image) in [
      ("detect-faces", "faces-1"), ("detect-objects", "objects-1"), ("segment", "segments-1"), ("classify", "things-1"),
      ("embed", "views-1"),
    ] {
      let task = try Tool.run(command, "\(path)/pictures/\(image).png", "--json")
      #expect(
        task.status == 0 && task.error.hasPrefix("note: without --model, the bundled ")
          && task.error.split(separator: "\n").count == 1, "\(task.error)")
      #expect(try !task.json().isEmpty)
    }
    let track = try Tool.run("track", "\(path)/pictures/video", "--multiple", "--jsonl")
    #expect(track.status == 0 && track.output.split(separator: "\n").count == 2)
    #expect(track.error.split(separator: "\n").allSatisfy { $0.hasPrefix("note: without --") })
  }

  @Test("generates the same images for the same seed, and others for another seed")
  func seeds() throws {
    let folder = try TemporaryFolder()
    for (name, seed) in [("a", "5"), ("b", "5"), ("c", "6")] {
      #expect(
        try Tool.run(
          "demo", "--images-only", "--output-dir", folder.path(name), "--size", "32", "--frames", "1", "--seed", seed
        ).status == 0)
    }
    func image(_ name: String) throws -> Data { try Data(contentsOf: folder.url(name + "/pictures/objects-1.png")) }
    #expect(try image("a") == image("b"))
    #expect(try image("a") != image("c"))
  }

  @Test("replaces an earlier demo, and nothing else in the directory")
  func again() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("demo")
    for frames in ["3", "2"] {
      #expect(
        try Tool.run("demo", "--pictures-only", "--output-dir", path, "--size", "32", "--frames", frames).status == 0)
      _ = try folder.write(Array("mine".utf8), to: "demo/notes.txt")
    }
    let files = Self.files(below: path)
    let frames: Set = ["pictures/video/frame_000000.png", "pictures/video/frame_000001.png"]
    #expect(Set(files.filter { $0.contains("/frame_") }) == frames)
    #expect(files.contains("notes.txt") && !files.contains { $0.contains("swiftlet-demo") })
  }

  @Test("fails with one line if it cannot write, and leaves nothing behind")
  func failures() throws {
    let folder = try TemporaryFolder()
    let below = try folder.write([1], to: "file") + "/demo"
    let unwritable = try Tool.run("demo", "--output-dir", below)
    #expect(
      unwritable.status == 1 && unwritable.error.hasPrefix("error: \(below)")
        && unwritable.error.split(separator: "\n").count == 1, "\(unwritable.error)")
    // A directory exists at the path of an image.
    let path = folder.path("taken")
    try FileManager.default.createDirectory(atPath: path + "/pictures/faces-1.png/x", withIntermediateDirectories: true)
    let taken = try Tool.run("demo", "--pictures-only", "--output-dir", path, "--size", "32", "--frames", "1")
    #expect(
      taken.status == 1 && taken.error.hasPrefix("error: \(path)/pictures/faces-1.png: cannot be written: is a folder")
        && taken.error.split(separator: "\n").count == 1, "\(taken.error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["pictures"])
  }

  @Test(
    "reports wrong usage with status 2 and a hint",
    arguments: [
      ([], "--output-dir DIR is required"), (["--output-dir", "d", "x"], "takes no operands"),
      (["--output-dir", "d", "--size", "1"], "from 32 to 2048"),
      (["--output-dir", "d", "--frames", "0"], "--frames"), (["--output-dir", "d", "--seed", "-1"], "--seed"),
    ] as [([String], String)])
  func usage(arguments: [String], hint: String) throws {
    let result = try Tool.run(["demo"] + arguments)
    #expect(result.status == 2 && result.error.contains(hint) && result.output.isEmpty, "\(result.error)")
  }

  @Test(
    "a browser shows the page without errors, in the reader's color scheme",
    .enabled(if: Browser.isAvailable, "no Chromium is installed"))
  func browser() throws {
    let made = try Made.shared.get()
    let path = made.root.path("demo/index.html")
    let visit = try Browser.document(ofPage: path)
    #expect(visit.console.isEmpty, "\(visit.console)")
    #expect(visit.document.contains("data-ready=\"6\""))
    for scheme in Browser.Scheme.allCases {
      let shot = try Browser.screenshot(ofPage: path, scheme: scheme)
      let screenshot = try #require(shot.screenshot)
      #expect(shot.console.isEmpty, "\(shot.console)")
      let colors = screenshot.colorCounts(every: 2)
      // Images have many colors, an empty page has few.
      #expect(colors.count > 500)
      #expect(colors.max { $0.value < $1.value }?.key == (scheme == .light ? 0xFFFFFF : 0x161C25))
    }
  }
}
