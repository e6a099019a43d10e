import Foundation
import SwiftletImageCodecs
import SwiftletSyntheticData
import SwiftletTestSupport
import Testing

@Suite("demo with audio and text")
struct DemoExampleTests {
  /// The output of one demo run, shared by the tests that only read it.
  private struct Made: @unchecked Sendable {
    let folder: TemporaryFolder
    let result: Tool.Result

    static let shared: Result<Made, any Error> = Result {
      // Global constants are never released, so the directory would remain.
      atexit { try? FileManager.default.removeItem(atPath: Made.shared.get().folder.path("")) }
      return try Made()
    }

    private init() throws {
      folder = try TemporaryFolder()
      result = try Tool.run(
        "demo", "--output-dir", folder.path("demo"), "--size", "48", "--frames", "1", "--threads", "1", "--json")
    }
  }

  private static func examples(_ key: String, _ result: Tool.Result) throws -> [[String: Any]] {
    let section = try #require(try result.json()[key] as? [String: Any], "\(result.error)")
    #expect(section["median_ms"] as? Double ?? 0 > 0)
    return try #require(section["examples"] as? [[String: Any]])
  }

  @Test("classifies each sound and sentence with the same scores as the page and the commands")
  func results() throws {
    let made = try Made.shared.get()
    let (folder, result) = (made.folder, made.result)
    let page = try String(contentsOf: folder.url("demo/index.html"), encoding: .utf8)
    let sounds = try Self.examples("sounds", result), sentences = try Self.examples("sentences", result)
    #expect(sounds.count == 8 && sentences.count == 8)
    for example in sounds + sentences {
      #expect(example["agrees"] as? Bool == true, "\(example)")
      let categories = try #require(example["categories"] as? [[String: Any]])
      let scores = categories.compactMap { $0["score"] as? Double }
      #expect(abs(scores.reduce(0, +) - 1) < 0.05 && scores == scores.sorted(by: >))
    }
    // The embedded models are the files of the package.
    let sound = folder.path("demo/" + (sounds[3]["sound"] as? String ?? ""))
    let sentence = try #require(sentences[0]["sentence"] as? String)
    #expect(page.contains(">\(sentence)<"))
    for (command, operand, model) in [
      ("classify-audio", sound, "audio_classifier_int8"), ("classify-text", sentence, "text_classifier_int8"),
    ] {
      let own = try Tool.run(command, operand, "--json")
      #expect(own.status == 0 && own.error.hasPrefix("note: without --model, the bundled "), "\(own.error)")
      let file = try Tool.run(
        command, operand, "--json", "--model", TestData.packagePath + "/Models/\(model).tflite")
      #expect(file.output == own.output && file.error.isEmpty)
      #expect(try Tool.run(command, operand, "--model", "").error.contains("--model must not be empty"))
    }
  }

  @Test("spectrograms show a rising tone upward, noise everywhere, and silence nowhere")
  func spectrograms() throws {
    let folder = try Made.shared.get().folder
    /// Returns the brightness of a spectrogram's rows in each column.
    func columns(_ name: String) throws -> [[Int]] {
      let image = try ImageDecoder.decode(path: folder.path("demo/sounds/\(name).png")).image
      let bytes = try image.converted(to: .rgb8).packedBytes()
      return (0..<image.width).map { column in
        (0..<image.height).map { row in
          (0..<3).reduce(0) { $0 + Int(bytes[3 * (row * image.width + column) + $1]) }
        }
      }
    }
    /// Returns the brightest row of each column that has one.
    func ridge(_ name: String) throws -> [Int] {
      try columns(name).compactMap { column in
        let brightest = column.max() ?? 0
        return brightest > 330 ? column.firstIndex(of: brightest) : nil
      }
    }
    let rising = try ridge("rising-tone"), falling = try ridge("falling-tone")
    #expect(rising.count > 40 && falling.count > 40)
    // Row 0 is the highest frequency.
    #expect(try #require(rising.first) > #require(rising.last) + 3)
    #expect(try #require(falling.first) + 3 < #require(falling.last))
    func mean(_ name: String) throws -> Int {
      let all = try columns(name).joined()
      return all.reduce(0, +) / all.count
    }
    #expect(try mean("noise") > 3 * mean("tone") && mean("silence") < 120)
  }

  @Test("generates the complete sounds of its seed")
  func seeds() throws {
    let folder = try Made.shared.get().folder
    for kind in [SoundKind.warble, .silence, .noise] {
      let sound = SyntheticSound(seed: 20_261_122, number: kind.rawValue, kind: kind)
      let file = try Data(contentsOf: folder.url("demo/sounds/\(kind.name).wav"))
      #expect(file == Data(WAVEncoder.bytes(sound.samples, sampleRate: 8000)) && file.count == 16044)
    }
  }
}
