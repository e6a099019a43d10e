import Foundation
import SwiftletAudio
import SwiftletDrawing
import SwiftletImage
import SwiftletTestSupport
import SwiftletText
import SwiftletVision
import Testing

@testable import SwiftletTool

@Suite("Results of detectors, classifiers, and embedders")
struct TaskResultTests {
  private static let gray = Canvas.Color(red: 100, green: 100, blue: 100)

  private func category(_ index: Int, _ score: Float, _ name: String? = nil, shown: String? = nil) -> ResultCategory {
    ResultCategory(index: index, score: score, categoryName: name, displayName: shown)
  }

  @Test("a category is shown by its display name, name, or index")
  func categoryName() {
    #expect(category(1, 0, "cat", shown: "Katze").name == "Katze")
    #expect(category(1, 0, "cat", shown: "").name == "cat" && category(1, 0, "cat").name == "cat")
    #expect(category(0, 0).name == "class 0" && category(7, 0, "", shown: "").name == "class 7")
    #expect(category(-1, 0).name == "unnamed")
    #expect(category(1, 0.0625).scoreText(digits: 2) == "0.06" && category(1, 0.0625).scoreText(digits: 3) == "0.062")
    #expect(
      category(2, 0.5, "cat", shown: "Katze").json.text
        == #"{"index":2,"score":0.5,"name":"cat","display_name":"Katze"}"#)
    #expect(category(2, 0.5, "cat", shown: "Katze").shortJSON.text == #"{"name":"cat","score":0.5,"index":2}"#)
    #expect(category(2, 0.5).json.text == #"{"index":2,"score":0.5,"name":null,"display_name":null}"#)
  }

  // MARK: Detections

  private func object(
    _ box: PixelRect, _ keypoints: [NormalizedPoint] = [], _ categories: ResultCategory...
  ) -> ObjectDetection {
    ObjectDetection(categories: categories, box: box, keypoints: keypoints)
  }

  @Test("a detection in JSON has box, categories, and keypoints")
  func detectionsJSON() throws {
    let found = [
      object(PixelRect(x: 1, y: 2, width: 3, height: 4), [NormalizedPoint(x: 0.5, y: 0.25)], category(5, 0.75, "cat")),
      object(PixelRect(x: 6, y: 7, width: 8, height: 9)),
    ]
    let result = DetectionResult(path: "p", image: try grayImage(30, 20), objects: found)
    #expect(
      result.json.text
        == #"{"image":"p","width":30,"height":20,"detections":[{"box":{"x":1,"y":2,"width":3,"height":4},"#
        + #""categories":[{"index":5,"score":0.75,"name":"cat","display_name":null}],"keypoints":[{"x":0.5,"y":0.25}]},"#
        + #"{"box":{"x":6,"y":7,"width":8,"height":9},"categories":[],"keypoints":[]}]}"#)
  }

  @Test("a detection in text has its categories with three digits, and no name if there is only one class")
  func detectionsText() throws {
    let box = PixelRect(x: 1, y: 2, width: 3, height: 4)
    let image = try grayImage(30, 20)
    let objects = [object(box, [], category(5, 0.75, "cat\n"), category(6, 0.5, "dog"))]
    #expect(
      DetectionResult(path: "p\u{7}", image: image, objects: objects).text
        == "p : 1 objects\n  cat  0.750, dog 0.500 at 1,2 3×4\n")
    let faces = DetectionResult(path: "p\u{7}", image: image, faces: [FaceDetection(score: 0.75, box: box)])
    #expect(faces.text == "p : 1 faces\n  0.750 at 1,2 3×4\n")
    #expect(faces.json.text.contains(#""categories":[{"index":0,"score":0.75,"name":null,"display_name":null}]"#))
  }

  @Test("a detection is drawn as a box in its color, dots with white edges, and a caption above")
  func detectionsDrawn() throws {
    let image = try grayImage(400, 200)
    let found = [
      object(
        PixelRect(x: 20, y: 50, width: 40, height: 30),
        [NormalizedPoint(x: 0.125, y: 0.375), NormalizedPoint(x: 1e5, y: 0)], category(0, 0.5, "A")),
      object(
        PixelRect(x: 30, y: 50, width: 100, height: 60), [NormalizedPoint(x: 0, y: 1e5)], category(0, 0.5, "B")),
    ]
    let color = try DetectionResult(path: "p", image: image, objects: found).drawn(on: image)
    // Lines are 2 wide on an image of 200.
    #expect(color(20, 60) == .distinct(0) && color(21, 60) == .distinct(0) && color(22, 60) == Self.gray)
    #expect(color(59, 60) == .distinct(0) && color(60, 60) == Self.gray)
    #expect(color(25, 79) == .distinct(0) && color(25, 80) == Self.gray)
    #expect(color(129, 100) == .distinct(1) && color(130, 100) == Self.gray && color(100, 109) == .distinct(1))
    #expect(color(50, 75) == .distinct(0) && color(52, 75) == .distinct(0))
    #expect(color(53, 75) == .white && color(54, 75) == Self.gray)
    // "A 0.50" has 6 letters; the first label overlaps the second.
    #expect(color(20, 38) == .distinct(0) && color(56, 38) == .distinct(0) && color(57, 38) == .distinct(1))
    #expect(color(66, 38) == .distinct(1) && color(67, 38) == Self.gray && color(20, 37) == Self.gray)
  }

  // MARK: Classifications

  @Test("a head in JSON has its index, name, and all categories")
  func classificationsJSON() {
    let classification = Classification(heads: [
      .init(name: "colors", categories: [category(1, 0.5, "red")]), .init(categories: []),
    ])
    let json =
      #"[{"head_index":0,"head_name":"colors","categories":[{"index":1,"score":0.5,"name":"red","display_name":null}]},"#
      + #"{"head_index":1,"head_name":null,"categories":[]}]"#
    #expect(classification.json.text == json)
    #expect(
      ClassificationsResult(path: "p", classification: classification, shownCount: 1).json.text
        == #"{"image":"p","classifications":\#(json)}"#)
  }

  @Test("a head in text has the requested categories, the number of others, and its name among several")
  func classificationsText() {
    let three = [category(1, 0.5, "red"), category(2, 0.25, "green"), category(3, 0.125, "blue")]
    func text(_ heads: [Classification.Head], _ count: Int) -> String {
      Classification(heads: heads).text(shownCount: count)
    }
    let head = Classification.Head(categories: three)
    #expect(text([head], 3) == "  0.500 red\n  0.250 green\n  0.125 blue\n")
    #expect(text([head], 2) == "  0.500 red\n  0.250 green\n  and 1 more; --max-results N shows N, --json all\n")
    #expect(
      text([.init(name: "", categories: []), head], 9)
        == "  head 0\n  nothing\n  head 1\n  0.500 red\n  0.250 green\n  0.125 blue\n")
    #expect(
      text([.init(name: "a\nb", categories: []), head], 1)
        == "  a b\n  nothing\n  head 1\n  0.500 red\n  and 2 more; --max-results N shows N, --json all\n")
    #expect(
      ClassificationsResult(path: "p\n", classification: Classification(heads: []), shownCount: 1).text == "p :\n")
  }

  @Test("classifications are drawn as a legend, with head names if there are several")
  func classificationsDrawn() throws {
    let image = try grayImage(200, 100)
    let head = Classification.Head(categories: [category(1, 0.5, "red"), category(2, 0.25, "green")])
    func expected(_ entries: [Canvas.LegendEntry]) throws -> [UInt8] {
      var canvas = try Canvas(image.buffer)
      canvas.drawLegend(entries)
      return try canvas.image().packedBytes()
    }
    func drawn(_ heads: [Classification.Head], _ count: Int) throws -> [UInt8] {
      var canvas = try Canvas(image.buffer)
      ClassificationsResult(path: "p", classification: Classification(heads: heads), shownCount: count).draw(
        on: &canvas)
      return try canvas.image().packedBytes()
    }
    #expect(try drawn([head], 1) == expected([.init(name: "red", value: "0.50")]))
    #expect(
      try drawn([head, head], 2)
        == expected([
          .init(name: "head 0"), .init(name: "red", value: "0.50"), .init(name: "green", value: "0.25"),
          .init(name: "head 1"), .init(name: "red", value: "0.50"), .init(name: "green", value: "0.25"),
        ]))
    #expect(try drawn([], 1) == expected([.init(name: "nothing")]))
  }

  private func window(_ time: Duration, _ heads: Classification.Head...) -> AudioClassification.Window {
    AudioClassification.Window(time: time, classification: Classification(heads: heads))
  }

  @Test("audio has a line per window and head, with integer milliseconds in JSON")
  func audio() {
    let three = [category(1, 0.5, "bell\t"), category(2, 0.25, "hum"), category(3, 0.125, "hiss")]
    let windows = [
      window(.microseconds(1_999), .init(categories: three)),
      window(.seconds(12), .init(name: "kind", categories: three), .init(categories: [])),
    ]
    let result = AudioClassificationsResult(path: "s\n.wav", windows: windows.map { .success($0) }, shownCount: 2)
    #expect(
      result.text == "s .wav:\n   0.001 s  0.500 bell , 0.250 hum\n  12.000 s  kind: 0.500 bell , 0.250 hum\n"
        + "  12.000 s  head 1: nothing\n")
    let one = AudioClassificationsResult(
      path: "s.wav",
      windows: [.success(window(.milliseconds(975), .init(categories: [category(1, 0.5, "bell")])))], shownCount: 0)
    #expect(
      one.json.text == #"{"audio":"s.wav","results":[{"timestamp_ms":975,"classifications":[{"head_index":0,"#
        + #""head_name":null,"categories":[{"index":1,"score":0.5,"name":"bell","display_name":null}]}]}]}"#)
  }

  @Test("audio windows are printed as they arrive, and the document is closed if one fails")
  func audioPieces() {
    let window = window(.seconds(1))
    let failure = TaskError(.limitExceeded, "no room")
    func pieces(
      _ form: OutputForm, _ windows: [Result<AudioClassification.Window, TaskError>]
    ) -> (pieces: [String], error: TaskError?) {
      var pieces: [String] = []
      let error: TaskError? = thrownError {
        try AudioClassificationsResult(path: "s", windows: windows, shownCount: 1).write(form) { pieces.append($0) }
      }
      return (pieces, error)
    }
    let (start, one) = (#"{"audio":"s","results":["#, #"{"timestamp_ms":1000,"classifications":[]}"#)
    #expect(pieces(.document, [.success(window), .success(window)]) == ([start + one, "," + one, "]}"], nil))
    #expect(pieces(.lines, [.success(window), .failure(failure)]) == ([start + one, "]}"], failure))
    #expect(pieces(.document, [.failure(failure)]) == ([], failure))
    #expect(pieces(.document, []) == ([start + "]}"], nil))
    #expect(pieces(.text, [.success(window), .failure(failure)]) == (["s:\n", ""], failure))
    #expect(pieces(.text, [.failure(failure)]) == ([], failure))
  }

  // MARK: Embeddings

  @Test("an embedding has its floats or its bytes in JSON, and the first four values in text")
  func embeddings() {
    let embedding = Embedding(heads: [
      .init(name: "f", values: .float([0.5, -1, 0.00004, 2, 3])), .init(values: .int8([-128, 127, 3])),
      .init(values: .float([])),
    ])
    let json =
      #"[{"head_index":0,"head_name":"f","float":[0.5,-1.0,4e-05,2.0,3.0]},"#
      + #"{"head_index":1,"head_name":null,"quantized":[-128,127,3]},{"head_index":2,"head_name":null,"float":[]}]"#
    #expect(
      EmbeddingsResult(path: "p", embedding: embedding).json.text
        == #"{"image":"p","embeddings":\#(json)}"#)
    #expect(
      EmbeddingsResult(path: "p\r", embedding: embedding).text
        == "p :\n  f, 5 values: 0.5000, -1.0000, 0.0000, 2.0000, ...\n  head 1, 3 values: -128, 127, 3, ...\n"
        + "  head 2, 0 values: , ...\n")
  }

  @Test("an embedding is drawn as its caption and its first three values")
  func embeddingsDrawn() throws {
    let image = try grayImage(300, 100)
    let result = EmbeddingsResult(
      path: "p",
      embedding: Embedding(heads: [.init(values: .int8([1, 2, 3, 4])), .init(values: .float([1]))]))
    var (drawn, expected) = (try Canvas(image.buffer), try Canvas(image.buffer))
    result.draw(on: &drawn)
    expected.drawLegend([
      .init(name: "head 0, 4 values"), .init(name: "1, 2, 3, ..."), .init(name: "head 1, 1 values"),
      .init(name: "1.0000, ..."),
    ])
    #expect(try drawn.image().packedBytes() == expected.image().packedBytes())
  }

  @Test("a comparison has both items under their keys")
  func comparison() {
    let result = Comparison(key: "texts", names: ["a\n", "b"], shown: ["a ", "b…"], similarity: 0.25)
    #expect(result.json.text == #"{"texts":["a\n","b"],"cosine_similarity":0.25}"#)
    #expect(result.text == "a , b…: cosine similarity 0.25\n")
  }

  @Test("a text is shown with up to 60 characters")
  func shownText() {
    let long = String(repeating: "é", count: 60)
    #expect(TextRunner.shown(long) == long && TextRunner.shown(long + "x") == long + "…")
    #expect(TextRunner.shown("a\nb") == "a b")
    let result = TextResult(subject: "a\nb", members: ["n": .int(1)], lines: "  l\n")
    #expect(result.text == "a b:\n  l\n" && result.json.text == #"{"text":"a\nb","n":1}"#)
  }
}
