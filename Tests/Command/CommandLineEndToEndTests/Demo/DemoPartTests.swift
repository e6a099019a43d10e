import Foundation
import Swiftlet
import SwiftletImage
import SwiftletMeasurement
import SwiftletSyntheticData
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTool

@Suite("Parts of the demo")
struct DemoPartTests {
  // MARK: Ground truth

  @Test("boxes that overlap by half match, best first and once each")
  func matches() throws {
    let square = PixelRect(x: 0, y: 0, width: 10, height: 10)
    func matches(_ found: [PixelRect], _ drawn: [PixelRect], isAlike: (Int, Int) -> Bool = { _, _ in true }) -> [[Int]]
    {
      DemoGroundTruth.matches(found, drawn, isAlike: isAlike).map { [$0.found, $0.drawn] }
    }
    // Overlaps of 1/2 and less: 10 of 20 and 10 of 21.
    #expect(matches([square], [PixelRect(x: 0, y: 0, width: 20, height: 10)]) == [[0, 0]])
    #expect(matches([square], [PixelRect(x: 0, y: 0, width: 21, height: 10)]) == [])
    let near = PixelRect(x: 1, y: 0, width: 10, height: 10)
    #expect(matches([near, square], [square]) == [[1, 0]] && matches([square], [near, square]) == [[0, 1]])
    #expect(matches([near, square], [square, near]) == [[0, 1], [1, 0]])
    #expect(matches([square], [square]) { _, _ in false } == [])
    #expect(matches([near, square], [square]) { found, _ in found == 0 } == [[0, 0]])
    #expect(
      DemoGroundTruth.matches([near], [square]) { _, _ in true }.first.map { abs($0.overlap - 9.0 / 11) < 1e-9 } == true
    )
    let image = try grayImage(40, 20)
    #expect(
      DemoGroundTruth.rectangle(LabelBox(left: 0.25, top: 0.5, right: 0.75, bottom: 1), image)
        == PixelRect(x: 10, y: 10, width: 20, height: 10))
  }

  @Test("reports the numbers of missed and false detections")
  func agreement() {
    func text(_ matched: Int, _ found: Int, _ drawn: Int, _ detail: String = "") -> String {
      let agreement = DemoGroundTruth.agreement(matched: matched, found: found, drawn: drawn, detail: detail)
      return (agreement.isFull ? "full: " : "") + agreement.text
    }
    #expect(text(2, 2, 2) == "full: all found" && text(0, 0, 0) == "full: nothing, as drawn")
    #expect(
      text(1, 1, 3) == "2 missed" && text(1, 4, 1) == "3 too many" && text(1, 2, 3, "d") == "2 missed, 1 too many, d")
    #expect(DemoAgreement(isFull: true, verdict: "v").text == "v")
  }

  // MARK: Times

  private func sample(_ values: Double...) -> Sample { Sample(values) }

  @Test("times are the median of medians, the minimum, and p90")
  func times() {
    let times = DemoTimes(
      task: "t", title: "T", model: "m", unit: "u",
      samples: [sample(1, 2, 30), sample(4, 5, 6), sample(0.5, 8, 9, 10)])
    #expect(times.medianLatency == 5 && times.fastest == 0.5 && times.slow == 10 && times.callCount == 10)
    #expect(times.text == "5.00 ms")
    #expect(DemoTimes.padded("embed") == "embed               " && DemoTimes.padded("embed").count == 20)
    let long = String(repeating: "x", count: 20)
    #expect(DemoTimes.padded(long) == long + " " && DemoTimes.padded(String(long.dropLast())).count == 20)
  }

  @Test("a call is timed at least three times after the first")
  func timer() {
    var calls = 0
    let (value, latency) = DemoTimer.time { () -> Int in
      calls += 1
      return calls
    }
    #expect(value == 1 && latency.count >= 3 && latency.count <= 15 && calls == latency.count + 1)
    // Calls that exceed the time budget run three times.
    var slow = 0
    let result = DemoTimer.time { () -> Int in
      slow += 1
      usleep(slow == 1 ? 0 : 60_000)
      return slow
    }
    #expect(result.latency.count == 3 && slow == 4 && result.latency.smallest >= 60)
  }

  // MARK: Sections

  private var section: DemoSection {
    DemoSection(
      task: "embed", title: "Vectors", summary: "s", model: .imageEmbedder,
      rows: [
        .init(
          image: "pictures/a.png", annotated: "a.png", expected: "e", found: "f",
          agreement: .init(isFull: true, verdict: "right"), latency: sample(2)),
        .init(
          image: "pictures/b.png", annotated: "b.png", expected: "g", found: "h",
          agreement: .init(isFull: false, verdict: "wrong", detail: "far"), latency: sample(4)),
      ])
  }

  @Test("a section in JSON and text has every row, and similarities if there are any")
  func sections() {
    var section = section
    let json =
      #"{"task":"embed","model":"image_embedder_int8.tflite","median_ms":3.0,"pictures":[{"image":"pictures/a.png","#
      + #""annotated":"a.png","expected":"e","found":"f","agrees":true,"agreement":"right","median_ms":2.0},"#
      + #"{"image":"pictures/b.png","annotated":"b.png","expected":"g","found":"h","agrees":false,"#
      + #""agreement":"wrong, far","median_ms":4.0}]"#
    #expect(section.json.text == json + "}" && section.agreeingCount == 1)
    #expect(section.text == "embed               1 of 2 images as drawn, 3.00 ms an image\n")
    #expect(section.command == "swiftlet embed pictures/a.png --annotate again.png")
    section.similarities = .init(names: ["a", "b"], values: [[1, 0.5], [0.25, 1]])
    #expect(section.json.text == json + #","cosine_similarities":[[1.0,0.5],[0.25,1.0]]}"#)
    section.rows = []
    #expect(section.command == "swiftlet embed  --annotate again.png")
  }

  @Test("scored examples are correct if the best class is the generated one")
  func examples() {
    let scores = [
      ResultCategory(index: 1, score: 0.75, categoryName: "a"),
      ResultCategory(index: 0, score: 0.25, categoryName: "b"),
    ]
    let right = ScoredExample(subject: "s", expected: "a", scores: scores, latency: sample(1))
    var wrong = right
    wrong.expected = "b"
    wrong.latency = sample(3)
    var none = right
    none.scores = []
    #expect(
      right.agreement.isFull && !wrong.agreement.isFull && none.best == "nothing" && wrong.agreement.verdict == "wrong")
    #expect(
      right.json("sound").text
        == #"{"sound":"s","expected":"a","found":"a","agrees":true,"categories":[{"name":"a","score":0.75,"index":1},"#
        + #"{"name":"b","score":0.25,"index":0}],"median_ms":1.0}"#)
    let all = ScoredExamples(
      task: "classify-text", title: "T", summary: "s", model: .textClassifier, unit: "sentence",
      examples: [right, wrong],
      command: "c")
    #expect(all.text == "classify-text       1 of 2 sentences right, 2.00 ms a sentence\n")
    #expect(
      all.json.text.hasPrefix(
        #"{"task":"classify-text","model":"text_classifier_int8.tflite","median_ms":2.0,"examples":[{"sentence":"s""#))
  }

  @Test("facts contain the command that repeats the demo")
  func facts() {
    let facts = DemoFacts(
      seed: 7, side: 96, frameCount: 3, runtime: RuntimeOptions(threads: 2, numerics: .bitExact), folder: "d",
      more: " --models 'm'")
    #expect(facts.command == "swiftlet demo --output-dir d --seed 7 --models 'm'")
    let entries = facts.entries.filter { $0.name != "Processor" }
    #expect(entries.map(\.name) == ["Swiftlet", "Instructions", "Threads", "Integers", "Images", "Seed"])
    #expect(
      entries.suffix(4).map(\.value) == ["2", "bit-exact", "96 × 96", "7"] && entries[0].value == Program.version)
    #expect(facts.entries.firstIndex { $0.name == "Processor" } ?? 1 == 1)
    #expect(facts.json.text.hasSuffix(#""threads":2,"numerics":"bit-exact","seed":7,"size":96}"#))
  }

  @Test("directories, sizes, and rates equal the values on the page and in its commands")
  func constants() {
    #expect(DemoTracking.framesPerSecond == 15 && DemoTracking.folder == "tracking")
    #expect(DemoTracking.strip == "tracking.png" && DemoSounds.folder == "sounds" && DemoModelTasks.folder == "models")
    #expect(DemoImages.folder == "pictures" && DemoImages.videoFolder == "pictures/video")
    #expect(DemoFolder.page == "index.html" && DemoPhotographs.maximumImages == 12 && DemoModels.fetched == "fetched")
    #expect(Waveform.width == 240 && Waveform.height == 60 && DemoGroundTruth.leastOverlap == 0.5)
  }

  @Test("image names and times are shortened")
  func page() {
    #expect(DemoPage.name("pictures/a-1.png") == "a-1" && DemoPage.name("b.tar.gz") == "b" && DemoPage.name("") == "")
    #expect(DemoPage.id(ofModel: 0) == "model-1")
  }

  // MARK: Folders

  @Test("files appear together, and replace only earlier frames")
  func folder() throws {
    let root = try TemporaryFolder()
    let path = root.path("demo")
    for name in ["v/frame_9.png", "v/other.png", "w/frame_9.png", "frame_9.png", "v/picture_3.jpg"] {
      try FileManager.default.createDirectory(
        at: root.url("demo/" + name).deletingLastPathComponent(), withIntermediateDirectories: true)
      _ = try root.write([1], to: "demo/" + name)
    }
    var folder = try DemoFolder(path)
    for name in ["v/frame_0.png", "a/b/c.txt", DemoFolder.page, "x.png"] { try folder.write([2], as: name) }
    #expect(folder.contains("a/b/c.txt") && !folder.contains("c.txt"))
    // The files aren't visible before they are published.
    #expect(!FileManager.default.fileExists(atPath: path + "/x.png"))
    try folder.publish()
    let files = Set(FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? [])
    #expect(
      files == [
        "v", "v/frame_0.png", "v/other.png", "v/picture_3.jpg", "w", "w/frame_9.png", "frame_9.png", "a", "a/b",
        "a/b/c.txt", "index.html", "x.png",
      ])
    var second = try DemoFolder(path)
    try second.write([3], as: "v/picture_0.jpg")
    try second.publish()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path + "/v").sorted() == [
        "frame_0.png", "other.png", "picture_0.jpg",
      ])
  }

  @Test("a discarded demo leaves only existing files behind")
  func discard() throws {
    let root = try TemporaryFolder()
    var new = try DemoFolder(root.path("new"))
    try new.write([1], as: "a/b.txt")
    new.discard()
    #expect(!FileManager.default.fileExists(atPath: root.path("new")))
    try FileManager.default.createDirectory(atPath: root.path("old"), withIntermediateDirectories: true)
    try DemoFolder(root.path("old")).discard()
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.path("old")).isEmpty)
    let used = try DemoFolder(root.path("used"))
    _ = try root.write([1], to: "used/mine.txt")
    used.discard()
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.path("used")) == ["mine.txt"])
  }

  // MARK: Sounds

  @Test("the transform equals its definition", arguments: [1, 2, 4, 8, 32])
  func fourier(count: Int) {
    var generator = SplitMix64(state: 3)
    let values = (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
    let expected = (0..<count / 2).map { frequency -> Float in
      var (real, imaginary) = (0.0, 0.0)
      for (index, value) in values.enumerated() {
        let angle = -2 * Double.pi * Double(frequency * index) / Double(count)
        real += Double(value) * cos(angle)
        imaginary += Double(value) * sin(angle)
      }
      return Float((real * real + imaginary * imaginary).squareRoot())
    }
    let found = FourierTransform(count: count).magnitudes(of: values)
    #expect(found.count == count / 2 && zip(found, expected).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  @Test("a full-scale tone has the maximum brightness, and half of it is 6 dB lower")
  func spectrogram() throws {
    // Sixteen waves in a window of 256.
    func tone(_ height: Float, _ count: Int = 384) -> [Float] {
      (0..<count).map { height * sin(2 * Float.pi * Float($0) / 16) }
    }
    let full = Spectrogram(tone(1)), half = Spectrogram(tone(0.5))
    #expect(full.width == 3 && full.height == 128 && full.levels.count == 384)
    #expect(
      Spectrogram(tone(1, 256)).width == 1 && Spectrogram(tone(1, 319)).width == 1
        && Spectrogram(tone(1, 320)).width == 2)
    for moment in 0..<3 {
      let levels = Array(full.levels[(moment * 128)..<(moment * 128 + 128)])
      #expect(levels.firstIndex(of: levels.max() ?? 0) == 16 && abs(levels[16] - 1) < 1e-3 && levels[64] < 0.01)
      // The neighbors of a Hann window's peak are half as high.
      #expect(
        abs(levels[15] - (1 - 6.0206 / 60)) < 1e-3 && abs(half.levels[moment * 128 + 16] - (1 - 6.0206 / 60)) < 1e-3)
    }
    let image = try full.image()
    let bytes = image.packedBytes()
    #expect(image.width == 3 && image.height == 128)
    // Bright at the tone's frequency, counted from below; dark elsewhere.
    let place = 3 * ((127 - 16) * 3 + 1)
    #expect(Array(bytes[place..<place + 3]).map(Int.init).reduce(0, +) > 600 && Array(bytes[0..<3]) == [10, 12, 30])
    #expect(Spectrogram([Float](repeating: 0, count: 256)).levels.allSatisfy { $0 == 0 })
  }

  @Test("an outline follows the maxima from left to right, and the minima back")
  func waveform() {
    var samples = [Float](repeating: 0, count: 480)
    (samples[0], samples[1], samples[479]) = (0.5, -1, 1)
    let path = Waveform(samples).path
    let points = path.dropFirst().dropLast().split(separator: "L")
    #expect(path.first == "M" && path.last == "Z" && points.count == 480)
    // The center is at 30. A sample of 1 is 29 above it, and 0.01 more so that silence is visible.
    #expect(points[0] == "0 15.2" && points[1] == "1 29.7" && points[239] == "239 0.7")
    #expect(points[240] == "239 30.3" && points[478] == "1 30.3" && points[479] == "0 59.3")
  }

  // MARK: Models

  @Test("a bundle is recognized by its members, the most specific kind first")
  func kinds() throws {
    let folder = try TemporaryFolder()
    let members: [(DemoModelFile.Kind, [String])] = [
      (.landmarkHands, ["hand_detector.tflite", "hand_landmarks_detector.tflite"]),
      (.recognizeGestures, ["hand_landmarker.task", "hand_gesture_recognizer.task"]),
      (.landmarkFaces, ["face_detector.tflite", "face_landmarks_detector.tflite"]),
      (.landmarkPoses, ["pose_detector.tflite", "pose_landmarks_detector.tflite"]),
      (
        .landmarkHolistic,
        [
          "face_detector.tflite", "face_landmarks_detector.tflite", "pose_detector.tflite",
          "pose_landmarks_detector.tflite", "hand_landmarks_detector.tflite", "hand_roi_refinement.tflite",
        ]
      ),
    ]
    func kind(_ names: [String]) throws -> DemoModelFile.Kind {
      try DemoModelFile(folder.write(SyntheticBundles.bundle(names.map { ($0, [1]) }), to: "b.task")).kind
    }
    for (expected, names) in members {
      #expect(try kind(names) == expected)
      for name in names {
        let rest = names.filter { $0 != name }
        #expect((try? kind(rest)) != expected, "without \(name)")
      }
    }
    let error: ToolError? = thrownError { try kind(["a", "b", "c", "d", "e"]) }
    #expect(error?.reason == "is a bundle of another kind than the demonstration shows, with a, b, c, d")
  }

  @Test("a model is interactive if it takes one image with four channels")
  func interactive() throws {
    let folder = try TemporaryFolder()
    func kind(_ shapes: [Int]...) throws -> DemoModelFile.Kind {
      var graph = TestGraph()
      for shape in shapes {
        let input = graph.input(.float32, shape)
        graph.add(.abs, [input], [graph.output(.float32, shape)])
      }
      return try DemoModelFile(folder.write(TestGraph.bytes([graph]), to: "m.tflite")).kind
    }
    #expect(try kind([1, 8, 8, 4]) == .interactive)
    for shapes in [[[1, 8, 8, 3]], [[1, 8, 4]], [[1, 8, 8, 4], [1]], [[4, 4, 4, 1]]] {
      let error: ToolError? = thrownError {
        var graph = TestGraph()
        for shape in shapes {
          let input = graph.input(.float32, shape)
          graph.add(.abs, [input], [graph.output(.float32, shape)])
        }
        return try DemoModelFile(folder.write(TestGraph.bytes([graph]), to: "m.tflite"))
      }
      #expect(
        error?.reason
          == "is a model of another kind than the demonstration shows; 'swiftlet inspect' describes it", "\(shapes)")
    }
  }

  @Test("up to 64 models of a directory are inspected", arguments: [64, 65])
  func manyModels(count: Int) throws {
    let folder = try TemporaryFolder()
    for number in 0..<count { _ = try folder.write([1], to: "m\(number).TASK") }
    _ = try folder.write([1], to: "other.txt")
    let found = try DemoModelFile.models(in: folder.path(""))
    #expect(found.models.isEmpty && found.left.count == count)
    #expect((found.left.last?.reason == "holds 65 models; only the first 64 are tried") == (count == 65))
  }

  @Test("each kind of model has a description and a command")
  func modelSections() {
    let model = (try? TemporaryFolder()).flatMap { folder in
      try? DemoModelFile(folder.write(SyntheticBundles.hands, to: "h.task"), name: "it's")
    }
    guard var model else {
      Issue.record("no bundle")
      return
    }
    func section(_ kind: DemoModelFile.Kind) -> DemoModelSection {
      model.kind = kind
      return DemoModelSection(
        model: model,
        rows: [
          .init(image: "p.jpg", annotated: "a.jpg", found: ["one", "two"], latency: sample(2)),
          .init(image: "q.jpg", annotated: "b.jpg", found: [], latency: sample(4)),
        ])
    }
    let sections = DemoModelFile.Kind.allCases.map(section)
    #expect(
      sections.map(\.title)
        == ["Hands", "Gestures", "Face meshes", "Poses", "Body, face and hands", "What is pointed at"])
    #expect(
      Set(sections.map(\.summary)).count == 6 && sections[0].summary == "21 points of each hand, and which hand it is.")
    #expect(sections[0].command == "swiftlet landmark-hands --model 'it's' 'p.jpg' --annotate again.png")
    #expect(sections[5].command == "swiftlet segment --model 'it's' --point 0.5,0.5 'p.jpg' --annotate again.png")
    #expect(sections[0].text == "landmark-hands      something in 1 of 2 images, 3.00 ms an image, it's\n")
    #expect(
      sections[0].json.text
        == #"{"task":"landmark-hands","model":"it's","median_ms":3.0,"pictures":[{"image":"p.jpg","annotated":"a.jpg","#
        + #""found":["one","two"],"median_ms":2.0},{"image":"q.jpg","annotated":"b.jpg","found":[],"median_ms":4.0}]}"#)
  }
}
