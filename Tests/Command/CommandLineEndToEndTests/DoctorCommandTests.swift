import Foundation
import SwiftletGolden
import SwiftletTestSupport
import Testing

@Suite("doctor")
struct DoctorCommandTests {
  /// A model with an image of 8 × 8 pixels whose label file has too few labels.
  private func model(labels: Int, in folder: TemporaryFolder) throws -> String {
    let model = PassingModel(
      width: 8, height: 8, outputs: [.init(shape: [1, 192], labels: (0..<labels).map { "label \($0)" })],
      normalization: (127.5, 127.5))
    try Data(model.bytes).write(to: folder.url("model.tflite"))
    return folder.url("model.tflite").path
  }

  private func file(_ values: [Float], shape: [Int], in folder: TemporaryFolder) throws -> String {
    let tensor = try GoldenTensor(
      elementType: .float32, shape: shape, bytes: values.withUnsafeBytes { [UInt8]($0) })
    try Data(try NPYFile.encode(tensor)).write(to: folder.url("input.npy"))
    return folder.url("input.npy").path
  }

  @Test("the finding is the first line, in the page, and in the document; the status is 0")
  func findings() throws {
    let folder = try TemporaryFolder()
    let path = try model(labels: 5, in: folder)
    let page = folder.url("page.html").path
    let text = try Tool.run("doctor", path, "--html", page)
    #expect(text.status == 0 && text.error == "")
    #expect(text.output.hasPrefix("error: The label file 'labels0.txt' has 5 labels, the output"))
    #expect(text.output.contains("generated: give --inputs"))
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("label-count") && html.contains("swiftlet doctor"))
    let json = try Tool.run("doctor", path, "--json").json()
    let findings = try #require(json["findings"] as? [[String: Any]])
    #expect(findings.first?["kind"] as? String == "label-count" && findings.first?["severity"] as? String == "error")
    #expect((json["inputs"] as? [String: Any])?["source"] as? String == "synthetic")
    #expect((json["layers"] as? [[String: Any]])?.count == 1)
    #expect((json["culprits"] as? [Any])?.isEmpty == true)
  }

  @Test("inputs come from files, directories, and operands; figures are those of the values")
  func inputs() throws {
    let folder = try TemporaryFolder()
    let path = try model(labels: 192, in: folder)
    let values = (0..<192).map { Float($0) / 96 - 1 }
    let input = try file(values, shape: [1, 8, 8, 3], in: folder)
    for words in [["--inputs", input, input], ["--inputs", input, "--inputs", input], [input, input]] {
      let json = try Tool.run(["doctor", path, "--json"] + words).json()
      #expect((json["inputs"] as? [String: Any])?["count"] as? Int == 2)
      let tensors = try #require(json["tensors"] as? [[String: Any]])
      #expect(tensors.first?["minimum"] as? Double == -1)
      #expect((tensors.first?["maximum"] as? Double).map { abs($0 - 95.0 / 96) < 1e-6 } == true)
    }
    let same = try Tool.run("doctor", path, "--reference", path, "--inputs", input, "--json").json()
    let layers = try #require(same["layers"] as? [[String: Any]])
    let total = try #require(layers.first?["total"] as? [String: Any])
    #expect(total["largest_error"] as? Double == 0 && total["snr_db"] is NSNull)
  }

  @Test("missing and unsuitable inputs are errors of one line that name the file")
  func errors() throws {
    let folder = try TemporaryFolder()
    let path = try model(labels: 192, in: folder)
    let input = try file([1, 2, 3], shape: [3], in: folder)
    let empty = folder.url("empty").path
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    let cases = [
      (["--inputs", "/no/such/file.npy"], "there is no such file"), (["--inputs", empty], "holds no inputs"),
      (["--inputs", input], "shape"), (["--inputs", path], "neither .npy nor an image"),
      (["--reference", "/no/such.tflite"], "there is no such file"),
    ]
    for (words, message) in cases {
      let result = try Tool.run(["doctor", path] + words)
      #expect(result.status != 0 && result.output == "", "\(words)")
      #expect(result.error.contains(message), "\(result.error)")
      #expect(result.error.hasPrefix("error: ") && result.error.filter { $0 == "\n" }.count == 1, "\(result.error)")
    }
  }

  @Test("a model without inputs, and one whose inputs are too large, end in a line that says so")
  func unusualInputs() throws {
    let folder = try TemporaryFolder()
    var none = TestGraph()
    none.add(.neg, [none.constant([Float(1)])], [none.output(.float32, [1])])
    var large = TestGraph()
    large.add(.neg, [large.input(.float32, [1 << 15, 1 << 14])], [large.output(.float32, [1 << 15, 1 << 14])])
    for (graph, words, message) in [
      (none, [folder.url("none.tflite").path], "takes no inputs"), (large, [], "give fewer"),
    ] {
      try Data(TestGraph.bytes([graph])).write(to: folder.url("none.tflite"))
      let result = try Tool.run(["doctor", folder.url("none.tflite").path] + words)
      #expect(result.status != 0 && result.error.contains(message), "\(result.error)")
    }
  }

  @Test("node data for Model Explorer is written to one file for each quantity")
  func overlay() throws {
    let folder = try TemporaryFolder()
    let path = try model(labels: 192, in: folder)
    #expect(try Tool.run("doctor", path, "--overlay", folder.url("nodes.json").path).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url("").path)
    #expect(names.contains("nodes-time.json") && !names.contains("nodes-added-error.json"), "\(names)")
  }

  @Test(
    "the case of the guide is as the guide says",
    .enabled(if: TestData.has("models", "images"), "\(TestData.skipReason)"))
  func guide() throws {
    let folder = TestData.path("models/embedding/mobilenet_v3_small_embedder_random_")
    let images = ["burger", "face", "owl"].map { TestData.path("images/\($0).jpg") }
    let result = try Tool.run(
      ["doctor", folder + "int8.tflite", "--reference", folder + "f16.tflite", "--inputs"] + images)
    let lines = result.output.split(separator: "\n")
    let text = try String(contentsOfFile: TestData.packagePath + "/docs/guide/doctor.md", encoding: .utf8)
    let guide = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(lines[0].hasPrefix("error: Many layers cut off numbers"), "\(lines[0])")
    #expect(guide.contains(lines[0]), "\(lines[0])")
    // Sums of the float model may differ in the last bits on another instruction set, and so may the guide's figures.
    func isNear(_ figure: Substring, _ stated: Substring) -> Bool {
      guard let figure = Double(figure), let stated = Double(stated) else { return false }
      return abs(figure - stated) <= 0.01 * stated + 0.1
    }
    // MEAN 106: 21.88 % of the activations 'Identity1' clip at 0.7703, …
    let clipped = try #require(lines[1].firstMatch(of: /MEAN \d+: ([\d.]+) % of the activations .* clip at ([\d.]+),/))
    let share = try #require(guide.firstMatch(of: /([\d.]+) % of the values of the last MEAN clip at ([\d.]+),/))
    #expect(isNear(clipped.1, share.1) && isNear(clipped.2, share.2), "\(lines[1])")
    // A row of the table: the operator, its name, and the added and the expected decibels.
    let rows = lines.compactMap { $0.firstMatch(of: /^ +\d+ +([A-Z0-9_]+) +([\d.]+) +([\d.]+)/) }
    let means = rows.prefix { $0.1 == "MEAN" }
    let range = try #require(guide.firstMatch(of: /nine worst layers are MEANs with ([\d.]+) to ([\d.]+) dB/))
    let (first, last) = (try #require(means.first).2, try #require(means.last).2)
    #expect(means.count == 9 && isNear(first, range.1) && isNear(last, range.2))
    #expect(means.allSatisfy { Double($0.3) ?? 0 >= 40 })
  }
}
