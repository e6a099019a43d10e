import Foundation
import SwiftletGolden
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Golden suites")
struct GoldenSuiteTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns a manifest with one case; `input` and `output` are further JSON fields of its tensors.
  func suite(
    input: String = "", output: String = "", model: String = #""model":"a/b.tflite""#, head: String = #""format":1"#
  ) throws -> GoldenSuite {
    let text = """
      {\(head),"models":[{\(model),"cases":[{"name":"random",
      "inputs":[{"index":0,"name":"in","dtype":"float32","shape":[3],"file":"t.bin","offset":0,"bytes":12\(input)}],
      "outputs":[{"index":0,"name":"out","dtype":"float32","shape":[3],"file":"t.bin","offset":4,"bytes":12\(output),
      "xnnpack_max_abs_diff":null}]}]}]}
      """
    let path = try folder.write(Array(text.utf8), to: "golden/manifest.json")
    return try GoldenSuite(manifestPath: path)
  }

  func writeFloats(_ values: [Float]) throws {
    try folder.write(values.flatMap { Tensors.bytes($0.bitPattern) }, to: "golden/t.bin")
  }

  @Test("reads inputs and outputs at their offsets")
  func readsTensors() throws {
    try writeFloats([1, 2, 3, 4])
    let suite = try suite()
    let item = try #require(suite.manifest.models.first?.cases.first)
    #expect(try suite.tensor(for: item.inputs[0]).floatingPointValues == [1, 2, 3])
    let expected = try suite.expectation(for: item.outputs[0])
    #expect(expected.samples.floatingPointValues == [2, 3, 4])
    #expect(expected.largestMagnitude == 4)
    #expect(item.outputs[0].xnnpackMaxAbsDiff == nil)
  }

  @Test("converts bytes to floats with a subtraction and a division in float32")
  func expandsBytes() throws {
    try folder.write([0, 127, 255], to: "golden/t.bin")
    let suite = try suite(input: #","storage":"uint8","mean":127.3,"std":3.7"#)
    var input = suite.manifest.models[0].cases[0].inputs[0]
    input.bytes = 3
    let mean = Float(127.3)
    let std = Float(3.7)
    let values = [Float(0), 127, 255].map { Double(($0 - mean) / std) }
    #expect(try suite.tensor(for: input).floatingPointValues == values)
  }

  @Test(
    "rejects invalid byte storage",
    arguments: [
      #","storage":"uint8""#, #","storage":"uint8","mean":1"#, #","storage":"uint8","mean":1,"std":0"#,
      #","storage":"uint8","mean":1,"std":1e-60"#, #","storage":"zip""#,
    ])
  func refusesStorage(fields: String) throws {
    try writeFloats([1, 2, 3, 4])
    let suite = try suite(input: fields)
    #expect(throws: GoldenError.self) { try suite.tensor(for: suite.manifest.models[0].cases[0].inputs[0]) }
  }

  @Test("reads every k-th element of a sampled output")
  func readsSamples() throws {
    try writeFloats([10, 13, 16, 19])
    let suite = try suite()
    var output = suite.manifest.models[0].cases[0].outputs[0]
    (output.shape, output.elements, output.sampleStride) = ([2, 5], 10, 3)
    (output.offset, output.bytes) = (0, 16)
    let expected = try suite.expectation(for: output)
    #expect(expected.shape == [2, 5])
    #expect(expected.samples.floatingPointValues == [10, 13, 16, 19])
    output.sampleStride = 4
    #expect(throws: GoldenError.self) { try suite.expectation(for: output) }
    output.sampleStride = 0
    #expect(throws: GoldenError.self) { try suite.expectation(for: output) }
    output.sampleStride = 3
    output.elements = 11
    #expect(throws: GoldenError.self) { try suite.expectation(for: output) }
  }

  @Test(
    "rejects paths that leave the directory",
    arguments: [
      "../secret.bin", "/etc/passwd", "a/../../b", "", ".", "a//b", "a/./b", "..", "a\\..\\b",
    ])
  func refusesPaths(path: String) throws {
    try writeFloats([1, 2, 3, 4])
    let suite = try suite()
    var input = suite.manifest.models[0].cases[0].inputs[0]
    input.file = path
    let error = #expect(throws: GoldenError.self) { try suite.tensor(for: input) }
    #expect(error?.code == .unsafePath)
    var model = suite.manifest.models[0]
    model.model = path
    #expect(throws: GoldenError.self) { try suite.modelBytes(of: model) }
  }

  @Test("rejects offsets outside the file", arguments: [(8, 12), (-4, 12), (Int.max, 12), (0, -12), (17, 0)])
  func refusesPlaces(offset: Int, count: Int) throws {
    try writeFloats([1, 2, 3, 4])
    let suite = try suite()
    var input = suite.manifest.models[0].cases[0].inputs[0]
    (input.offset, input.bytes) = (offset, count)
    if count == 0 { input.shape = [0] }
    #expect(throws: GoldenError.self) { try suite.tensor(for: input) }
  }

  @Test("rejects tensors with inconsistent type, shape, and size")
  func refusesContradictions() throws {
    try writeFloats([1, 2, 3, 4])
    let suite = try suite()
    let input = suite.manifest.models[0].cases[0].inputs[0]
    for (dtype, shape) in [
      ("int8", [3]), ("float32", [4]), ("complex64", [3]), ("float32", [-3]), ("float32", [Int.max, 4]),
    ] {
      var changed = input
      (changed.dtype, changed.shape) = (dtype, shape)
      #expect(throws: GoldenError.self) { try suite.tensor(for: changed) }
    }
  }

  @Test("finds models next to the manifest's directory, or in the given directory")
  func findsModels() throws {
    try folder.write([1, 2], to: "models/a/b.tflite")
    try folder.write([3], to: "elsewhere/a/b.tflite")
    let suite = try suite()
    #expect(try suite.modelBytes(of: suite.manifest.models[0]) == [1, 2])
    let other = try GoldenSuite(manifestPath: suite.manifestPath, modelsFolder: folder.path + "/elsewhere")
    #expect(try other.modelBytes(of: other.manifest.models[0]) == [3])
    #expect(try other.modelPath(of: other.manifest.models[0]) == folder.path + "/elsewhere/a/b.tflite")
  }

  @Test("extracts packed models from their file")
  func readsPackedModels() throws {
    try folder.write([9, 8, 7, 6, 5], to: "golden/models.bin")
    let suite = try suite(
      model:
        #""model":"add/x","operator":"ADD","model_file":"models.bin","model_offset":1,"model_bytes":3,"stateful":true,"signature":"s""#
    )
    var model = try #require(suite.manifest.models(forOperator: "ADD").first)
    #expect(model.isStateful)
    #expect(model.signature == "s")
    #expect(try suite.modelBytes(of: model) == [8, 7, 6])
    #expect(try suite.modelPath(of: model) == nil)
    model.modelBytes = 5
    #expect(throws: GoldenError.self) { try suite.modelBytes(of: model) }
    model.modelBytes = nil
    #expect(throws: GoldenError.self) { try suite.modelBytes(of: model) }
  }

  @Test(
    "rejects other formats and byte orders",
    arguments: [
      #""format":2"#, #""format":1,"byte_order":"big""#,
    ])
  func refusesFormats(head: String) {
    let error = #expect(throws: GoldenError.self) { try suite(head: head) }
    #expect(error?.code == .unsupported)
  }

  @Test(
    "rejects text that is not a manifest and reports the position",
    arguments: [
      ("", "manifest"), ("[]", "manifest"), ("{}", "format"), (#"{"format":"1","models":[]}"#, "format"),
      (#"{"format":1,"models":[{"model":"m"}]}"#, "cases"),
      (#"{"format":1,"models":[{"model":null,"cases":[]}]}"#, "model"),
      (#"{"format":1e400,"models":[]}"#, "manifest"),
    ])
  func refusesManifests(text: String, mention: String) throws {
    let path = try folder.write(Array(text.utf8), to: "golden/manifest.json")
    let error = #expect(throws: GoldenError.self) { try GoldenSuite(manifestPath: path) }
    #expect(error?.code == .malformed)
    #expect(error?.description.contains(mention) == true)
  }

  @Test("rejects lists nested a hundred thousand deep")
  func refusesDeepLists() throws {
    try refusesManifests(text: String(repeating: "[", count: 100_000), mention: "manifest")
  }

  @Test("names a missing manifest")
  func namesMissingManifest() {
    let error = #expect(throws: GoldenError.self) { try GoldenSuite(manifestPath: folder.path + "/none.json") }
    #expect(error?.code == .unreadable)
  }

  @Test(
    "every tensor of the published models' manifest exists and equals itself",
    .enabled(if: TestData.has("models", "golden/manifest.json"), "\(TestData.skipReason)"))
  func readsPublishedManifest() throws {
    let suite = try GoldenSuite(manifestPath: TestData.path("golden/manifest.json"))
    let comparison = Comparison(numerics: .bitExact, arithmetic: .integer)
    var outputs = 0
    for model in suite.manifest.models {
      #expect(try suite.modelPath(of: model).map(FileManager.default.fileExists(atPath:)) == true)
      for item in model.cases {
        for input in item.inputs { #expect(try suite.tensor(for: input).shape == input.shape) }
        let expected = try item.outputs.map { try suite.expectation(for: $0) }
        for output in expected where output.sampleStride == 1 {
          #expect(comparison.compare(output.samples, with: output).isWithinTolerance)
          outputs += 1
        }
      }
    }
    #expect(outputs > 100)
  }
}
