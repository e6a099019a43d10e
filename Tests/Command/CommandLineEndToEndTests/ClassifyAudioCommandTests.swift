import Foundation
import SwiftletTestSupport
import Testing

@Suite("classify-audio")
struct ClassifyAudioCommandTests {
  /// A model whose scores are its four samples, at 8000 Hz.
  private static var model: [UInt8] {
    var model = PassingModel(
      width: 1, height: 1, outputs: [.init(shape: [1, 4], name: "scores", labels: ["a", "b", "c", "d"])],
      normalization: nil)
    model.inputShape = [1, 4]
    model.sound = (8000, 1)
    return model.bytes
  }

  /// Returns a 16-bit PCM file at 8000 Hz, with samples in units of 1/4.
  private static func sound(_ quarters: [Int16]) -> [UInt8] {
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    let data = quarters.flatMap { bytes($0 * 8192) }
    let format =
      bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(8000)) + bytes(UInt32(16_000)) + bytes(UInt16(2))
      + bytes(UInt16(16))
    return Array("RIFF".utf8) + bytes(UInt32(36 + data.count)) + Array("WAVEfmt ".utf8) + bytes(UInt32(16)) + format
      + Array("data".utf8) + bytes(UInt32(data.count)) + data
  }

  private struct Place {
    let folder: TemporaryFolder
    let model: String
    let sound: String

    init() throws {
      folder = try TemporaryFolder()
      model = try folder.write(ClassifyAudioCommandTests.model, to: "m.tflite")
      sound = try folder.write(ClassifyAudioCommandTests.sound([1, 3, 2, -1, 0, 3]), to: "s.wav")
    }
  }

  private func names(_ window: [String: Any]) -> [String] {
    let heads = window["classifications"] as? [[String: Any]] ?? []
    return (heads.first?["categories"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
  }

  @Test("prints each window's categories, best first")
  func json() throws {
    let place = try Place()
    let json = try Tool.run("classify-audio", place.sound, "--model", place.model, "--json").json()
    #expect(Set(json.keys) == ["audio", "results"] && json["audio"] as? String == place.sound)
    let windows = try #require(json["results"] as? [[String: Any]])
    #expect(windows.map(names) == [["b", "c", "a"], ["b", "a", "c", "d"]])
    #expect(windows.map { $0["timestamp_ms"] as? Int } == [0, 0])
    let head = try #require((windows[0]["classifications"] as? [[String: Any]])?.first)
    #expect(head["head_name"] as? String == "scores" && head["head_index"] as? Int == 0)
    let best = try #require((head["categories"] as? [[String: Any]])?.first)
    #expect(best["score"] as? Double == 0.75 && best["index"] as? Int == 1 && best["display_name"] is NSNull)
    let cut = try Tool.run(
      "classify-audio", place.sound, "--model", place.model, "--json", "--max-results", "1", "--deny", "b")
    #expect(try (cut.json()["results"] as? [[String: Any]])?.map(names) == [["c"], ["a"]])
  }

  @Test("reads standard input, and prints text")
  func text() throws {
    let place = try Place()
    let result = try Tool.run(
      "classify-audio", "-", "--model", place.model, "--score-threshold", "0.5", input: Self.sound([1, 3, 2, 0, 1]))
    #expect(result.output == "-:\n   0.000 s  0.750 b, 0.500 c\n   0.000 s  nothing\n")
    let list = try Tool.run(
      ["classify-audio", "--stdin-list", "--json", "--model", place.model], input: Array((place.sound + "\n\n").utf8))
    #expect(list.status == 0 && list.output.hasPrefix("[{"))
    let twice = try Tool.run(
      ["classify-audio", "--stdin-list", "--model", place.model], input: Array("-\n".utf8))
    #expect(twice.status == 1 && twice.error == "error: -: standard input holds the list of sounds, not a sound\n")
  }

  @Test("processes the others if one of several fails, unless requested otherwise")
  func failures() throws {
    let place = try Place()
    let broken = try place.folder.write(Array("RF64....WAVE".utf8), to: "b.wav")
    let call = ["classify-audio", broken, place.sound, "--model", place.model]
    let lines = try Tool.run(call + ["--jsonl"])
    #expect(lines.status == 1 && lines.error.isEmpty)
    let first = try #require(lines.output.split(separator: "\n").first)
    #expect(first.hasPrefix("{\"audio\":") && first.contains("\"error\":") && first.contains("RF64"))
    #expect(lines.output.split(separator: "\n").count == 2)
    #expect(try Tool.run(call + ["--jsonl", "--jobs", "1"]).output == lines.output)
    let text = try Tool.run(call)
    #expect(text.status == 1 && text.output.hasPrefix(place.sound) && text.error.hasPrefix("error: \(broken): "))
    let ended = try Tool.run(call + ["--fail-fast", "--json"])
    #expect(ended.status == 1 && ended.output.isEmpty && ended.error.contains("RF64"))
    let empty = try place.folder.write(Self.sound([]), to: "e.wav")
    let alone = try Tool.run("classify-audio", empty, "--model", place.model)
    #expect(alone.status == 1 && alone.error.contains("no samples") && alone.error.contains("e.wav"))
  }

  @Test("rejects wrong usage")
  func usage() throws {
    let place = try Place()
    #expect(try Tool.run("classify-audio", place.sound, "--model", "").status == 2)
    for words in [[], ["-", "-"], [place.sound, "--stdin-list"], [place.sound, "--json", "--jsonl"]] as [[String]] {
      #expect(try Tool.run(["classify-audio", "--model", place.model] + words).status == 2)
    }
    let imageModel = try place.folder.write(TinyModel.bytes, to: "p.tflite")
    let other = try Tool.run("classify-audio", place.sound, "--model", imageModel)
    #expect(other.status == 1 && other.error.contains("p.tflite") && other.error.contains("AudioProperties"))
  }

  private enum TinyModel {
    static var bytes: [UInt8] { PassingModel(width: 1, height: 1, outputs: [.init(shape: [3])]).bytes }
  }
}
