import Foundation
import Swiftlet
import SwiftletCommandLine
import SwiftletGolden
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTool

/// Checks the exact output of `run` and `verify`.
@Suite("run and verify")
struct RunVerifyTests {
  /// Returns the error of a `run` call on the sum of `t0` and `t1`, two float32 elements each.
  private func reason(_ words: (TemporaryFolder) throws -> [String]) throws -> String {
    let folder = try TemporaryFolder()
    let model = try folder.write(SmallModels.sum, to: "m.tflite")
    let arguments = try Arguments(
      [model, "--output-dir", folder.path("out"), "--threads", "1", "--json"] + words(folder),
      for: RunCommand.declaration)
    do {
      _ = try RunCommand.run(arguments)
      return "run"
    } catch {
      return "\(error)".replacing(folder.path("") + "/", with: "").replacing(folder.path(""), with: "")
    }
  }

  private func floats(_ values: Float..., shape: [Int]? = nil) throws -> [UInt8] {
    try NPYFile.encode(
      GoldenTensor(
        elementType: .float32, shape: shape ?? [values.count], bytes: values.withUnsafeBytes { [UInt8]($0) }))
  }

  @Test("every input must be named exactly once")
  func inputs() throws {
    #expect(
      try reason { [try $0.write(floats(1, 2), to: "a.npy")] }
        == "input 't1' (float32[2]) is missing; give it with --input 't1=FILE'")
    #expect(
      try reason { folder in
        let file = try folder.write(floats(1, 2), to: "a.npy")
        return ["t0=" + file, "--input", "t0=" + file]
      } == "input 't0' is given more than once")
    #expect(
      try reason { folder in
        let file = try folder.write(floats(1, 2), to: "a.npy")
        return [file, file, "c.npy"]
      } == "the model takes 2 inputs; unexpected argument 'c.npy'")
    #expect(try reason { _ in ["t9=a.npy"] } == "the model has no input 't9'; did you mean 't0'?")
    #expect(try reason { _ in ["other=a.npy"] } == "the model has no input 'other'; it has t0, t1")
  }

  @Test("tensor files have the input's type and size")
  func files() throws {
    func error(_ bytes: [UInt8], _ name: String) throws -> String {
      try reason { folder in
        let file = try folder.write(bytes, to: name)
        return [file, file]
      }
    }
    let eight = [UInt8](repeating: 0, count: 8)
    #expect(try error(eight + [0], "a.bin") == "a.bin: has more bytes, input 't0' float32[2] takes 8")
    #expect(try error(Array(eight.dropLast()), "a.bin") == "a.bin: has 7 bytes, input 't0' float32[2] takes 8")
    #expect(try error(eight, "a.txt") == "a.txt: is neither .npy nor .bin")
    let codes = try NPYFile.encode(GoldenTensor(elementType: .int8, shape: [2], bytes: [1, 2]))
    #expect(try error(codes, "a.npy") == "a.npy: holds int8, input 't0' takes float32")
    #expect(try reason { [$0.path("none.npy"), $0.path("none.npy")] }.hasPrefix("none.npy: there is no such file"))
  }

  @Test("outputs are written by number and name, and printed in the requested form")
  func outputs() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write(SmallModels.addAndSub, to: "m.tflite")
    let file = try folder.write(floats(5), to: "x.npy")
    for (words, value) in [([], 7.0), (["--signature", "sub"], 3), (["--signature", "add"], 7)] {
      let result = try Tool.run(["run", model, file, "--output-dir", folder.path("out")] + words)
      let name = words.isEmpty ? "StatefulPartitionedCall:0" : "output_0"
      let safe = words.isEmpty ? "0_StatefulPartitionedCall_0.npy" : "0_output_0.npy"
      #expect(result.status == 0 && result.output == "\(name): float32[1] → \(safe)\n", "\(result.error)")
      #expect(try NPYFile.read(folder.path("out") + "/" + safe).floatingPointValues == [value])
    }
    let failed = try Tool.run("run", model, file, "--output-dir", folder.path("out"), "--signature", "none")
    #expect(failed.status == 1 && failed.error.hasPrefix("error: \(model): "))
  }

  @Test("reports of cases in text and JSON")
  func verify() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(SmallModels.sum, to: "m.tflite")
    let bytes = [Float(1), 2, 10, 20, 11, 22, 11, 24].withUnsafeBytes { [UInt8]($0) }
    _ = try folder.write(bytes, to: "tensors.bin")
    func tensor(_ index: Int, _ offset: Int) -> String {
      #"{"index":\#(index),"name":"n\#(index)","dtype":"float32","shape":[2],"offset":\#(offset),"bytes":8}"#
    }
    func item(_ name: String, _ output: Int) -> String {
      #"{"name":"\#(name)","inputs":[\#(tensor(0, 0)),\#(tensor(1, 8))],"outputs":[\#(tensor(2, output))]}"#
    }
    let text =
      #"{"format":1,"models":[{"model":"m.tflite","cases":[\#(item("a", 16)),\#(item("b", 24)),\#(item("c", 99))]}]}"#
    let manifest = try folder.write(Array(text.utf8), to: "manifest.json")
    let call = ["verify", manifest, "--models", folder.path("")]
    let people = try Tool.run(call)
    #expect(
      people.output
        == "ok   m.tflite a\n       ok   n2: error 0.0, accepted 0.011\n"
        + "FAIL m.tflite b\n       FAIL n2: error 2.0, accepted 0.012\n"
        + "FAIL m.tflite c: \(folder.path("tensors.bin")): expected 8 bytes at offset 99, the file has 32\n"
        + "1 passed, 2 failed\n")
    #expect(people.status == 1)
    let json = try Tool.run(call + ["--json"])
    let start =
      #"{"cases":[{"model":"m.tflite","case":"a","outputs":[{"name":"n2","max_abs_error":0.0,"max_step_error":null,"#
      + #""mismatch_share":null,"tolerance":0.011,"ok":true,"error":null}],"ok":true,"error":null},"#
    #expect(json.output.hasPrefix(start), "\(json.output)")
    #expect(json.output.contains(#""case":"c","outputs":[],"ok":false,"error":""#))
    #expect(json.output.hasSuffix(#""passed":1,"failed":2}"# + "\n") && json.status == 1)
    let none = try Tool.run(call + ["--only", "x"])
    #expect(none.status == 2 && none.error == "error: usage: no model of the manifest contains 'x'\n")
    #expect(try Tool.run(call + ["--only", "m.tf"]).output == people.output)
  }

  // MARK: Demo models

  @Test("an interactive demo model gets the center of each image")
  func interactive() throws {
    let folder = try TemporaryFolder()
    var model = PassingModel(
      width: 4, height: 4, outputs: [.init(shape: [1, 4, 4, 4], labels: ["red", "green", "blue", "meant"])])
    model.channels = 4
    let file = try DemoModelFile(folder.write(model.bytes, to: "interactive.tflite"), name: "shown")
    #expect(file.kind == .interactive && file.name == "shown")
    let inputs = try [4, 8].map { side in
      NamedImage(name: "p\(side)", path: nil, stem: "p\(side)", image: try grayImage(side, side))
    }
    var made = try DemoFolder(folder.path("demo"))
    let tasks = DemoModelTasks(runtime: RuntimeOptions(threads: 1), inputs: inputs)
    let section = try tasks.section(file, number: 3, &made)
    #expect(section.rows.map(\.image) == ["p4", "p8"])
    #expect(
      section.rows.map(\.annotated) == ["models/3-segment/picture_1.jpg", "models/3-segment/picture_2.jpg"])
    #expect(section.rows.allSatisfy { row in row.found.contains { $0.hasSuffix("meant") } })
    #expect(made.contains("models/3-segment/picture_2.jpg") && section.rows.allSatisfy { $0.latency.count >= 3 })
    made.discard()
    // The error names a model that cannot be loaded.
    var broken = file
    broken.path = try folder.write([1, 2, 3], to: "broken.tflite")
    let error: ToolError? = thrownError { try tasks.section(broken, number: 1, &made) }
    #expect(error?.file == "shown" && error?.reason.isEmpty == false)
  }
}
