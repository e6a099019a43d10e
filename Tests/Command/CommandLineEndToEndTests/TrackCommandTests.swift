import Foundation
import SwiftletImage
import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

@Suite("track")
struct TrackCommandTests {
  /// Frames in which one object moves to the right and another stays, and models that detect them.
  private struct Sequence {
    let root: TemporaryFolder
    let detector: String
    let classifier: String
    /// The RGB bytes of each frame.
    let frames: [[UInt8]]

    init(count: Int = 6) throws {
      root = try TemporaryFolder()
      detector = try root.write(BoxReadingModel.bytes, to: "detector.tflite")
      let colors = PassingModel(
        type: .uint8, scale: 1 / 255, width: 1, height: 1,
        outputs: [.init(shape: [1, 3], labels: ["red", "green", "blue"])])
      classifier = try root.write(colors.bytes, to: "classifier.tflite")
      frames = (0..<count).map { frame in
        let x = UInt8(5 * frame)
        return BoxReadingModel.pixels(
          [
            .init(left: 20 + x, top: 20, right: 90 + x, bottom: 120, score: 230),
            .init(left: 150, top: 150, right: 220, bottom: 220, score: 200),
          ],
          width: 50, height: 50)
      }
    }

    func png(_ frame: [UInt8]) throws -> [UInt8] {
      try ImageEncoder.encodePNG(try ImageBuffer(bytes: frame, width: 50, height: 50, pixelFormat: .rgb8))
    }

    /// Writes the frames, with names whose lexicographic order differs from their numeric order.
    func writeFrames() throws -> String {
      let path = root.path("frames")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for (index, frame) in frames.enumerated() { _ = try root.write(try png(frame), to: "frames/f\(index + 7).png") }
      _ = try root.write(Array("no image".utf8), to: "frames/notes.txt")
      return path
    }
  }

  private func objects(_ line: [String: Any]) throws -> [[String: Any]] {
    try #require(line["objects"] as? [[String: Any]])
  }

  private func lines(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test("prints every frame's objects with stable IDs and labels")
  func objects() throws {
    let sequence = try Sequence()
    let folder = try sequence.writeFrames()
    let result = try Tool.run(
      "track", folder, "--detector", sequence.detector, "--classifier", sequence.classifier, "--multiple",
      "--max-labels", "2", "--fps", "20", "--jsonl")
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    let lines = try lines(result.output)
    #expect(lines.map { $0["frame"] as? Int } == [0, 1, 2, 3, 4, 5])
    #expect(lines.map { $0["timestamp_ms"] as? Double } == [0, 50, 100, 150, 200, 250])
    #expect(lines.map { $0["image"] as? String } == (7...12).map { folder + "/f\($0).png" })
    for (index, line) in lines.enumerated() {
      let objects = try objects(line)
      #expect(Set(objects.compactMap { $0["tracking_id"] as? Int }) == [0, 1])
      let moving = try #require(objects.first { $0["tracking_id"] as? Int == 0 }?["frame"] as? [String: Double])
      #expect(abs(try #require(moving["x"]) - Double(20 + 5 * index) * 50 / 255) < 1)
      #expect(abs(try #require(moving["height"]) - 100.0 * 50 / 255) < 1)
      let labels = try #require(objects[0]["labels"] as? [[String: Any]])
      #expect(
        labels.count == 2
          && labels.allSatisfy { $0["index"] is Int && $0["text"] is String && $0["confidence"] is Double })
    }
    // One JSON document, with only the most prominent object.
    let document = try Tool.run("track", folder, "--detector", sequence.detector, "--json")
    let all = try #require(try JSONSerialization.jsonObject(with: Data(document.output.utf8)) as? [[String: Any]])
    #expect(try all.count == 6 && all.allSatisfy { try objects($0).count == 1 })
  }

  @Test("reads frames from a pipe, as images or raw, with the same results")
  func pipes() throws {
    let sequence = try Sequence()
    let arguments = ["track", "--detector", sequence.detector, "--multiple", "--jsonl"]
    let files = try Tool.run(arguments + [try sequence.writeFrames()])
    func frames(_ output: String) throws -> [String] {
      try lines(output).map { line in
        var line = line
        line["image"] = nil
        return String(decoding: try JSONSerialization.data(withJSONObject: line, options: .sortedKeys), as: UTF8.self)
      }
    }
    let images = try Tool.run(arguments + ["-"], input: try sequence.frames.flatMap(sequence.png))
    #expect(images.status == 0, "\(images.error)")
    #expect(try frames(images.output) == frames(files.output))
    let raw = try Tool.run(arguments + ["-", "--raw", "50x50"], input: sequence.frames.flatMap(\.self))
    #expect(raw.status == 0 && raw.output == images.output, "\(raw.error)")
    let cut = try Tool.run(arguments + ["-", "--raw", "50x50"], input: sequence.frames.flatMap(\.self).dropLast(10))
    #expect(
      cut.status == 1
        && cut.error == "error: standard input: ends within a frame: 7490 of the 7500 bytes of 50 × 50 pixels\n")
    #expect(try lines(cut.output).count == 5)
    let broken = try Tool.run(arguments + ["-"], input: Array(try sequence.png(sequence.frames[0]).dropLast(5)))
    #expect(broken.status == 1 && broken.error.hasPrefix("error: standard input: the stream ends within an image"))
    let empty = try Tool.run("track", "--detector", sequence.detector, "--json", "-")
    #expect(empty.status == 0 && empty.output == "[]\n")
  }

  @Test("draws boxes, captions, and trails, with a distinct color per object")
  func annotation() throws {
    let sequence = try Sequence()
    let target = sequence.root.path("drawn/here")
    let result = try Tool.run(
      "track", try sequence.writeFrames(), "--detector", sequence.detector, "--multiple", "--annotate-dir", target)
    #expect(result.status == 0 && result.output.contains("#0 0.90 at"), "\(result.error)\(result.output)")
    let names = try FileManager.default.contentsOfDirectory(atPath: target).sorted()
    #expect(names == (0..<6).map { "frame_00000\($0).jpg" })
    let drawn = try ImageDecoder.decode(path: target + "/frame_000005.jpg")
    #expect(drawn.format == .jpeg && drawn.image.width == 50)
    // The first object's trail passes through the center of its box, in the first color.
    let bytes = drawn.image.packedBytes()
    let middle = 3 * (50 * (70 * 50 / 255) + 65 * 50 / 255)
    #expect(bytes[middle] > 150 && bytes[middle + 1] < 120, "\(bytes[middle..<middle + 3])")
  }

  @Test("only runs detection on some frames if requested")
  func every() throws {
    let sequence = try Sequence()
    let result = try Tool.run(
      "track", try sequence.writeFrames(), "--detector", sequence.detector, "--multiple", "--every", "2", "--jsonl")
    #expect(try lines(result.output).allSatisfy { try objects($0).count == 2 })
  }

  @Test(
    "reports wrong usage with status 2 and a hint",
    arguments: [
      (["--detector", "d", "-", "a.png"], "'-' stands for all frames"),
      (["--detector", "d", "a.png", "--raw", "2x2"], "standard input"),
      (["--detector", "d", "-", "--raw", "2x"], "such as 640x480"),
      (["--detector", "d", "-", "--raw", "60000x60000"], "such as 640x480"),
      (["--detector", "d", "a.png", "--json", "--jsonl"], "mutually exclusive"),
      (["--detector", "d", "a.png", "--fps", "0"], "--fps"), (["--detector", "d"], "nothing was given"),
      (["--detector", "d", "a.png", "--max-objects", "101"], "from 1 to 100"),
      (["--detector", "d", "a.png", "--classifier", "c", "--confidence", "2"], "--confidence"),
    ] as [([String], String)])
  func usage(arguments: [String], hint: String) throws {
    let result = try Tool.run(["track"] + arguments)
    #expect(result.status == 2 && result.error.contains(hint) && result.output.isEmpty, "\(result.error)")
  }

  @Test("fails with one line that names the file")
  func failures() throws {
    let sequence = try Sequence(count: 1)
    let folder = try sequence.writeFrames()
    let empty = sequence.root.path("empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    let text = try sequence.root.write(Array("no model".utf8), to: "text.tflite")
    for (arguments, words) in [
      (
        [folder, "--detector", sequence.root.path("none.tflite")],
        "\(sequence.root.path("none.tflite")): there is no such file"
      ),
      ([folder, "--detector", text], text),
      ([folder, "--detector", sequence.classifier], "\(sequence.classifier): an object detection model has 4 outputs"),
      (
        [folder, "--detector", sequence.detector, "--classifier", sequence.detector],
        "\(sequence.detector): the output of a classification model"
      ),
      ([empty, "--detector", sequence.detector], "holds no images"),
      ([sequence.root.path("none.jpg"), "--detector", sequence.detector], "none.jpg"),
    ] as [([String], String)] {
      let result = try Tool.run(["track"] + arguments)
      #expect(
        result.status == 1 && result.error.hasPrefix("error: ") && result.error.contains(words), "\(result.error)")
      #expect(result.error.filter { $0 == "\n" }.count == 1)
    }
  }

  @Test("accepts downloaded models by name, and explains the download of others")
  func publishedModels() throws {
    let sequence = try Sequence(count: 2)
    let folder = try sequence.writeFrames()
    let environment = ["SWIFTLET_MODELS": sequence.root.path("store")]
    let arguments = [
      "track", folder, "--multiple", "--jsonl", "--detector", "efficientdet-lite0", "--classifier",
      "efficientnet-lite0",
    ]
    func run(_ arguments: [String]) throws -> Tool.Result { try Tool.run(arguments, environment: environment) }
    func fetch(_ name: String, _ model: String) throws {
      try FileManager.default.createDirectory(atPath: sequence.root.path("mirror"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: model, toPath: sequence.root.path("mirror/\(name).tflite"))
      let result = try run(["models", "fetch", name, "--from", sequence.root.path("mirror")])
      #expect(result.status == 0, "\(result.error)")
    }
    func missing(_ name: String) -> String {
      "error: \(name): is a published model that is not downloaded; 'swiftlet models fetch \(name)' downloads it\n"
    }
    let before = try run(arguments)
    #expect(before.status == 1 && before.output.isEmpty && before.error == missing("efficientdet-lite0"))
    try fetch("efficientdet-lite0", sequence.detector)
    let halfway = try run(arguments)
    #expect(halfway.status == 1 && halfway.output.isEmpty && halfway.error == missing("efficientnet-lite0"))
    try fetch("efficientnet-lite0", sequence.classifier)
    let byName = try run(arguments)
    #expect(byName.status == 0 && byName.error.isEmpty, "\(byName.error)")
    let byFile = try run([
      "track", folder, "--multiple", "--jsonl", "--detector", sequence.detector, "--classifier", sequence.classifier,
    ])
    #expect(byName.output == byFile.output && !byName.output.isEmpty)
  }
}
