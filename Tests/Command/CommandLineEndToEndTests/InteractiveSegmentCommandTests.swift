import Foundation
import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

@Suite("segment with a region")
struct InteractiveSegmentCommandTests {
  /// Writes a model whose four classes are the red, green, and blue of 4 × 4 pixels, and the region.
  private func write(to folder: TemporaryFolder) throws -> String {
    var model = PassingModel(
      width: 4, height: 4, outputs: [.init(shape: [1, 4, 4, 4], labels: ["red", "green", "blue", "meant"])])
    model.channels = 4
    return try folder.write(model.bytes, to: "interactive.tflite")
  }

  @Test("segments the object that a point or scribble marks")
  func regions() throws {
    let folder = try TemporaryFolder()
    let model = try write(to: folder), image = try FlagImage.write(to: folder)
    let point = try Tool.run("segment", image, "--model", model, "--point", "0.5,0.5", "--json")
    #expect(point.status == 0 && point.error.isEmpty, "\(point.error)")
    // Red has the same score as the region where both occur.
    #expect(point.output.contains(#""category_counts":{"0":8,"1":3,"2":1,"3":4}"#), "\(point.output)")
    let scribble = try folder.write(Array(" 0.5, 0.5\r\n\n0.5,0.5\n0,0.75".utf8), to: "scribble.txt")
    let drawn = folder.path("drawn.png"), masks = folder.path("masks")
    let result = try Tool.run(
      "segment", image, "--model", model, "--scribble", scribble, "--json", "--annotate", drawn,
      "--confidence-masks", masks)
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    #expect(result.output.contains(#""category_counts":{"0":8,"2":1,"3":7}"#), "\(result.output)")
    #expect(try ImageDecoder.decode(path: drawn).image.width == 4)
    #expect(try FileManager.default.contentsOfDirectory(atPath: masks).sorted().last == "3_meant.npy")
  }

  @Test("processes images as stored")
  func rotation() throws {
    let folder = try TemporaryFolder()
    let model = try write(to: folder), image = try FlagImage.write(to: folder)
    let arguments = ["segment", image, "--model", model, "--point", "0.5,0.5", "--annotate"]
    let (upright, turned) = (folder.path("a.png"), folder.path("b.png"))
    let first = try Tool.run(arguments + [upright])
    let second = try Tool.run(arguments + [turned, "--rotate", "90"])
    #expect(first.status == 0 && first.output == second.output)
    #expect(FileManager.default.contentsEqual(atPath: upright, andPath: turned))
  }

  @Test(
    "reports an invalid region in one line",
    arguments: [
      (["--point", "0.5"], 2, "--point takes"), (["--point", "a,b"], 2, "--point takes"),
      (["--point", "nan,0"], 2, "--point takes"), (["--point", "0,1,2"], 2, "--point takes"),
      (["--point", "0,0", "--scribble", "x"], 2, "are mutually exclusive"),
      (["--scribble", "none.txt"], 1, "none.txt: there is no such file"),
      (["--scribble", "/dev/null"], 1, "/dev/null: has no points"),
    ] as [([String], Int32, String)])
  func wrongRegions(arguments: [String], status: Int32, hint: String) throws {
    let result = try Tool.run(["segment", "image.png", "--model", "model.tflite"] + arguments)
    #expect(result.status == status && result.output.isEmpty && result.error.contains(hint), "\(result.error)")
    #expect(result.error.filter { $0 == "\n" }.count == 1)
  }

  @Test("reports the line of a scribble that is not a point")
  func wrongLines() throws {
    let folder = try TemporaryFolder()
    for text in ["0,0\n1;2\n", "0,0\ninf,0", "0,0\n\u{1}\u{1b}[31m"] {
      let path = try folder.write(Array(text.utf8), to: "s.txt")
      let result = try Tool.run("segment", "image.png", "--model", "model.tflite", "--scribble", path)
      #expect(result.status == 1 && result.error.hasPrefix("error: \(path): line 2: expected X,Y"), "\(result.error)")
      #expect(!result.error.contains("\u{1b}"))
    }
  }

  @Test("requires an interactive model")
  func model() throws {
    let folder = try TemporaryFolder()
    let image = try FlagImage.write(to: folder)
    let none = try Tool.run("segment", image, "--point", "0,0")
    #expect(none.status == 2 && none.error.contains("need --model"), "\(none.error)")
    let other = try Tool.run(
      "segment", image, "--point", "0,0", "--model",
      try folder.write(
        PassingModel(width: 4, height: 4, outputs: [.init(shape: [1, 4, 4, 3])]).bytes, to: "other.tflite"))
    #expect(other.status == 1 && other.error.contains("no channel for the region"), "\(other.error)")
  }
}
