import Foundation
import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

/// Behavior that all commands for image tasks share.
@Suite("Task commands")
struct TaskCommandTests {
  static let commands = TinyTask.allCases

  @Test("print one object, an array for several images, or a line for each", arguments: commands)
  func forms(task: TinyTask) throws {
    let folder = try TemporaryFolder()
    let model = try task.write(to: folder)
    let flag = try FlagImage.write(to: folder), gray = try GrayImage.write(to: folder)
    func run(_ arguments: [String], input: String = "") throws -> String {
      let result = try Tool.run([task.rawValue, "--model", model] + arguments, input: Array(input.utf8))
      #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
      return result.output
    }
    let one = try run([flag, "--json"]), other = try run([gray, "--json"])
    #expect(one.hasPrefix("{\"image\":\"\(flag)\"") && one.hasSuffix("}\n"))
    #expect(try run([flag, gray, "--json"]) == "[" + one.dropLast() + "," + other.dropLast() + "]\n")
    #expect(try run([flag, gray, "--jsonl"]) == one + other)
    #expect(try run(["--stdin-list", "--jsonl"], input: "\(flag)\n\n\(gray)\n") == one + other)
    #expect(try run(["--stdin-list", "--json"], input: "\(flag)\n") == "[" + one.dropLast() + "]\n")
    #expect(try run(["--stdin-list", "--json"]) == "[]\n")
    let piped = try Tool.run([task.rawValue, "--model", model, "-", "--json"], input: try FlagImage.bytes)
    #expect(piped.output == one.replacing(flag, with: "-"))
  }

  @Test("draw the result into a copy of the image, in the format of the file's name", arguments: commands)
  func annotation(task: TinyTask) throws {
    let folder = try TemporaryFolder()
    let model = try task.write(to: folder)
    let image = try GrayImage.write(to: folder, width: 160, height: 100, value: 90)
    for (name, format) in [("a.png", ImageFileFormat.png), ("a.JPEG", .jpeg), ("a.b.jpg", .jpeg)] {
      let result = try Tool.run(task.rawValue, image, "--model", model, "--annotate", folder.path(name))
      #expect(result.status == 0, "\(result.error)")
      let drawn = try ImageDecoder.decode(path: folder.path(name))
      #expect(drawn.format == format && drawn.image.width == 160 && drawn.image.height == 100)
      // The list is light text on a dark background.
      let bytes = drawn.image.packedBytes()
      #expect(bytes.contains { $0 > 240 } && bytes.contains { $0 < 60 })
    }
  }

  @Test("use the normalization options for a model without metadata")
  func normalization() throws {
    let folder = try TemporaryFolder()
    var graph = TestGraph()
    let pixels = graph.input(.float32, [1, 4, 4, 3])
    let shape = graph.constant([Int32(1), 48])
    let values = graph.output(.float32, [1, 48])
    graph.add(.reshape, [pixels, shape], [values])
    let model = try folder.write(TestGraph.bytes([graph]), to: "float.tflite"),
      image = try FlagImage.write(to: folder)
    let refused = try Tool.run("embed", image, "--model", model)
    #expect(refused.status == 1 && refused.error.contains("NormalizationOptions"))
    let json = try Tool.run(
      "embed", image, "--model", model, "--json", "--input-mean", "5,10,0", "--input-deviation", "2"
    ).json()
    let found = try #require((json["embeddings"] as? [[String: Any]])?.first?["float"] as? [Double])
    let expected = FlagImage.pixels.flatMap { pixel -> [Double] in
      zip(pixel, [5, 10, 0]).map { (Double($0) - $1) / 2 }
    }
    #expect(found == expected)
  }

  @Test("fail with one line that names the file, and leave no file behind", arguments: commands)
  func failures(task: TinyTask) throws {
    let folder = try TemporaryFolder()
    let model = try task.write(to: folder), image = try FlagImage.write(to: folder)
    let text = try folder.write(Array("neither model nor image".utf8), to: "text.png")
    let cut = try folder.write(Array(try FlagImage.bytes.dropLast(30)), to: "cut.png")
    var graph = TestGraph()
    let x = graph.input(.float32, [2, 3])
    graph.add(.add, [x, x], [graph.output(.float32, [2, 3])])
    let otherTask = try folder.write(TestGraph.bytes([graph]), to: "add.tflite")
    let out = folder.path("no/such/folder/out.png")
    var cases: [([String], String)] = [
      ([image, "--model", text], text), ([image, "--model", folder.path("none")], "none"),
      ([image, "--model", otherTask], otherTask), ([text, "--model", model], text), ([cut, "--model", model], cut),
      ([folder.path("none.png"), "--model", model], "none.png"), ([image, "--model", model, "--annotate", out], out),
      ([image, "--model", model, "--annotate", folder.path("no/such.jpg")], "such.jpg"),
    ]
    if task == .segment {
      cases.append(([image, "--model", model, "--category-mask", out], out))
      cases.append(([image, "--model", model, "--confidence-masks", text], text))
    }
    for (arguments, name) in cases {
      let before = try FileManager.default.contentsOfDirectory(atPath: folder.path("."))
      let result = try Tool.run([task.rawValue] + arguments)
      #expect(result.status == 1 && result.output.isEmpty, "\(arguments): \(result.output)")
      #expect(result.error.hasPrefix("error: ") && result.error.filter { $0 == "\n" }.count == 1, "\(result.error)")
      #expect(result.error.contains(name), "\(result.error)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(".")) == before)
    }
  }

  @Test(
    "report wrong usage with status 2 and one helpful line",
    arguments: [
      (["--roi", "0,0,1"], "--roi takes"), (["--roi", "0,0,1,2"], "--roi takes"),
      (["--roi", "0.5,0,0.5,1"], "--roi takes"),
      (["--roi", "0,1,1,0"], "--roi takes"), (["--roi", "a,0,1,1"], "--roi takes"),
      (["--roi", "nan,0,1,1"], "--roi takes"),
      (["--json", "--jsonl"], "are mutually exclusive"), (["--annotate", "x.gif"], ".png or .jpg"),
      (["other.png", "--annotate", "x.png"], "one image"),
      (["--stdin-list"], "are mutually exclusive"), (["-", "-"], "twice"),
      (["--model"], "more than once|needs a value"),
      (["--threads", "0"], "--threads"), (["--jobs", "0"], "--jobs takes"), (["--jobs", "many"], "--jobs takes"),
      (["--input-mean", "127.5"], "belong together"),
      (["--input-mean", "0,0", "--input-deviation", "1"], "one number or three"),
      (["--input-mean", "0", "--input-deviation", "0"], "--input-deviation takes"),
    ] as [([String], String)])
  func usage(arguments: [String], hint: String) throws {
    for task in [TinyTask.classify, .embed] {
      let result = try Tool.run([task.rawValue, "image.png", "--model", "model.tflite"] + arguments)
      #expect(result.status == 2 && result.output.isEmpty, "\(result.error)")
      #expect(result.error.hasPrefix("error: usage: ") && result.error.filter { $0 == "\n" }.count == 1)
      #expect(hint.split(separator: "|").contains { result.error.contains($0) }, "\(result.error)")
    }
  }

  @Test(
    "classify accepts numbers in range and one list of categories",
    arguments: [
      (["--max-results", "0"], "from 1"), (["--score-threshold", "high"], "'high'"),
      (["--allow", "a", "--deny", "b"], "are mutually exclusive"),
    ] as [([String], String)])
  func classifyUsage(arguments: [String], hint: String) throws {
    let result = try Tool.run(["classify", "image.png", "--model", "model.tflite"] + arguments)
    #expect(result.status == 2 && result.error.contains(hint), "\(result.error)")
  }
}
