import Foundation
import SwiftletGolden
import SwiftletTestSupport
import SwiftletBase
import Testing

/// Checks that names with terminal control sequences are sanitized, in all places of a model that have a name.
@Suite("Hostile names on the command line")
struct HostileNameTests {
  static let hostile = "evil\u{1B}]0;title\u{7}\u{1B}[2J\n\r\u{8}\u{7F}\u{9B}31m\u{202E}gnp\u{2066}\u{200F}\u{2028}end"

  /// A negation whose tensors, graph, signature, and description have the hostile name.
  static let model: [UInt8] = FlatValue.file(
    root: [
      0: .uint(3), 1: .tables([[0: .byte(59), 2: .int(1), 3: .int(59)]]),
      2: .tables([
        [
          0: .tables([
            [0: .ints([2]), 1: .byte(0), 3: .string(hostile + "in")],
            [0: .ints([2]), 1: .byte(0), 3: .string(hostile + "out")],
          ]),
          1: .ints([0]), 2: .ints([1]), 3: .tables([[0: .uint(0), 1: .ints([0]), 2: .ints([1])]]),
          4: .string(hostile + "graph"),
        ]
      ]),
      3: .string(hostile + "description"), 4: .tables([[:]]),
      7: .tables([
        [
          0: .tables([[0: .string(hostile + "x"), 1: .uint(0)]]),
          1: .tables([[0: .string(hostile + "y"), 1: .uint(1)]]), 2: .string(hostile + "key"),
          4: .uint(0),
        ]
      ]),
    ], identifier: "TFL3")

  /// The same model with an unknown operator.
  static let unknown: [UInt8] = FlatValue.file(
    root: [
      0: .uint(3), 1: .tables([[0: .byte(32), 1: .string(hostile + "op"), 2: .int(1), 3: .int(32)]]),
      2: .tables([
        [
          0: .tables([
            [0: .ints([2]), 1: .byte(0), 3: .string(hostile + "in")],
            [0: .ints([2]), 1: .byte(0), 3: .string(hostile + "out")],
          ]),
          1: .ints([0]), 2: .ints([1]), 3: .tables([[0: .uint(0), 1: .ints([0]), 2: .ints([1])]]),
        ]
      ]), 4: .tables([[:]]),
    ], identifier: "TFL3")

  private func check(
    _ result: Tool.Result, status: Int32 = 0, lines: ClosedRange<Int>, _ place: SourceLocation = #_sourceLocation
  ) {
    #expect(result.status == status, "\(result.error)", sourceLocation: place)
    for text in [result.output, result.error] {
      #expect(
        !text.unicodeScalars.contains { SanitizedText.isHidden($0) && $0 != "\n" }, "\(text.debugDescription)",
        sourceLocation: place)
    }
    #expect(lines.contains(result.output.split(separator: "\n").count), "\(result.output)", sourceLocation: place)
  }

  @Test("of models are printed without control characters, each on one line")
  func text() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write(Self.model, to: "m.tflite")
    let unknown = try folder.write(Self.unknown, to: "u.tflite")
    let input = try folder.write(
      NPYFile.encode(try GoldenTensor(elementType: .float32, shape: [2], bytes: [UInt8](repeating: 0, count: 8))),
      to: "x.npy")
    let inspected = try Tool.run("inspect", model)
    check(inspected, lines: 10...10)
    for part in ["in", "out", "graph", "description", "x", "y", "key"] {
      #expect(inspected.output.contains("end" + part), "\(part)")
    }
    check(try Tool.run("inspect", unknown), lines: 7...8)
    check(try Tool.run("run", "--input", input, "--output-dir", folder.path("out"), model), lines: 1...1)
    check(try Tool.run("run", "--output-dir", folder.path("out"), model), status: 2, lines: 0...0)
    check(
      try Tool.run("run", "--signature", "none", "--output-dir", folder.path("out"), model), status: 1, lines: 0...0)
    check(try Tool.run("bench", "--runs", "1", "--warmup", "0", "--profile", model), lines: 4...4)
    check(try Tool.run("bench", "--runs", "1", unknown), status: 1, lines: 0...0)
  }

  @Test("of files are printed without control characters")
  func fileNames() throws {
    let folder = try TemporaryFolder()
    let name = String(Self.hostile.replacing("/", with: "")) + ".tflite"
    let path = try folder.write(Self.model, to: name)
    check(try Tool.run("inspect", path), lines: 10...10)
    check(try Tool.run("inspect", path + "x"), status: 1, lines: 0...0)
    check(try Tool.run("bench", "--runs", "1", "--warmup", "0", path), lines: 3...3)
    for command in [
      "detect-objects", "detect-faces", "segment", "embed", "classify", "classify-audio", "track", "verify",
    ] {
      let model = command == "classify-audio" ? ["--model", path] : []
      check(try Tool.run([command, path] + model), status: 1, lines: 0...0)
    }
    check(try Tool.run(Self.hostile), status: 2, lines: 0...0)
    check(try Tool.run("bench", "--" + Self.hostile), status: 2, lines: 0...0)
  }

  @Test("are unchanged in JSON, and escaped")
  func json() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write(Self.model, to: "m.tflite")
    let result = try Tool.run("inspect", "--json", model)
    check(result, lines: 1...1)
    let document = try result.json()
    #expect(document["description"] as? String == Self.hostile + "description")
    let graph = try #require((document["subgraphs"] as? [[String: Any]])?.first)
    #expect(graph["name"] as? String == Self.hostile + "graph")
  }

  @Test("do not reach a page")
  func pages() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write(Self.model, to: "m.tflite")
    check(try Tool.run("inspect", "--html", folder.path("i.html"), model), lines: 10...10)
    check(try Tool.run("bench", "--runs", "1", "--html", folder.path("b.html"), model), lines: 3...3)
    for page in ["i.html", "b.html"] {
      let text = try String(contentsOf: folder.url(page), encoding: .utf8)
      #expect(text.contains("evil") && !text.contains("\\u202e") && !text.contains("\\u001b"))
      #expect(!text.unicodeScalars.contains { SanitizedText.isHidden($0) && !"\t\n".unicodeScalars.contains($0) })
    }
  }
}
