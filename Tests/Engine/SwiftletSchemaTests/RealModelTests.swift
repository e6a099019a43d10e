import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Published models", .enabled(if: TestData.has("models"), "\(TestData.skipReason)"))
struct RealModelTests {
  private func model(_ name: String) throws -> ModelFile {
    try ModelFile(try MappedFile.map(TestData.path("models/" + name)))
  }

  @Test("parse completely, with their metadata and appended files", arguments: TestData.models)
  func parseCompletely(_ name: String) throws {
    let model = try model(name)
    #expect(model.version == 3)
    #expect(model.subgraphs.first?.outputs.isEmpty == false)
    let operators = model.subgraphs.flatMap(\.operators)
    #expect(operators.allSatisfy { !$0.code.kind.name.hasPrefix(OperatorKind.unknownBuiltinPrefix) })
    let hasEntry = model.metadata.contains { $0.name == ModelFile.metadataEntryName }
    #expect(try (model.modelMetadata() != nil) == hasEntry)
    if let files = try model.associatedFiles() {
      for name in files.names { #expect(try files.contents(of: name).count > 0) }
    }
  }

  @Test(
    "have aligned constants, with weights in place", arguments: TestData.models)
  func constants(_ name: String) throws {
    let model = try model(name)
    for tensor in model.subgraphs.flatMap(\.tensors) {
      guard let data = tensor.data, data.count > 0 else { continue }
      let alignment = UInt(min(tensor.type.byteWidth ?? 1, 8))
      #expect(UInt(bitPattern: data.bytes.baseAddress) % alignment == 0)
      // Some writers align 64-bit biases to multiples of 4 only; just those are copied.
      if alignment <= 4 { #expect(data.owner === model.bytes.owner) }
    }
  }

  @Test(
    "name their classes",
    arguments: [
      ("classification/mobilenet_v1_0.25_224_quant.tflite", 1001, ["background", "tench"]),
      ("classification/object_labeler.tflite", 631, ["/g/11c539qpsz", "/g/11clygwzmh"]),
      ("hand_pose/canned_gesture_classifier.tflite", 8, ["None", "Closed_Fist"]),
      ("segmentation/deeplabv3_257_metadata.tflite", 21, ["background", "aeroplane"]),
    ])
  func labels(_ name: String, _ count: Int, _ first: [String]) throws {
    let model = try model(name)
    let output = try #require(try model.modelMetadata()?.outputs.first)
    let labels = try #require(try output.labels(locale: "en", from: model.associatedFiles()))
    #expect(labels.labels.count == count)
    #expect(Array(labels.labels.prefix(2)) == first)
  }

  @Test("have display names of classes if available")
  func displayNames() throws {
    let model = try model("classification/object_labeler.tflite")
    let output = try #require(try model.modelMetadata()?.outputs.first)
    let archive = try model.associatedFiles()
    #expect(try output.labels(locale: "en", from: archive)?.displayNames?.first == "Smart speaker")
    #expect(try output.labels(locale: "xx", from: archive)?.displayNames == nil)
  }

  @Test("have input normalization")
  func normalization() throws {
    let metadata = try model("segmentation/deeplabv3_257_metadata.tflite").modelMetadata()
    let input = try #require(metadata?.inputs.first)
    #expect(try input.normalization() == Normalization(mean: [127.5], deviation: [127.5]))
  }

  @Test(
    "are rejected without crashing if they are truncated or damaged",
    arguments: ["ops/aeq_single_fc.tflite", "ops/mp_1x3_square_float32.tflite", "ops/aeq_simple_composite.tflite"])
  func damaged(_ name: String) throws {
    let bytes = try MappedFile.read(TestData.path("models/" + name)).array
    func attempt(_ bytes: [UInt8]) -> Bool {
      do {
        let model = try ModelFile(ByteRegion(bytes))
        for operation in model.subgraphs.flatMap(\.operators) { _ = try operation.calledSubgraphs() }
        _ = try model.modelMetadata()
        _ = try model.associatedFiles()
        return true
      } catch {
        return false
      }
    }
    #expect(attempt(bytes))
    var generator = SplitMix64(state: 17)
    for _ in 0..<200 {
      #expect(!attempt(Array(bytes.prefix(Int.random(in: 0..<(bytes.count / 2), using: &generator)))))
      var damaged = bytes
      for _ in 0..<8 {
        // Most of a file is weights; its structure is at the beginning or at the end.
        let position = Int.random(in: 0..<min(4096, bytes.count), using: &generator)
        damaged[Bool.random(using: &generator) ? position : bytes.count - 1 - position] = .random(
          in: 0...255, using: &generator)
      }
      _ = attempt(damaged)
    }
  }
}
