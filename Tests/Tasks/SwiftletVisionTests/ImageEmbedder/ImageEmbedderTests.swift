import Foundation
import SwiftletImage
import SwiftletEngine
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Image embedder")
struct ImageEmbedderTests {
  private let rgbPixels: [UInt8] = (0..<12).map { UInt8($0 * 20) }

  private func image(_ orientation: ImageOrientation = .up) throws -> InputImage {
    try InputImage(rgb: rgbPixels, width: 2, height: 2, orientation: orientation)
  }

  private func model(_ outputs: [PassingModel.Output]) -> PassingModel {
    PassingModel(width: 2, height: 2, outputs: outputs)
  }

  @Test("returns an embedding per output, flattened, with the names from the metadata")
  func heads() throws {
    let model = model([.init(shape: [1, 12], name: "feature"), .init(shape: [1, 2, 1, 6])])
    let embedder = try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: model.base))
    let embeddings = try embedder.embedding(of: try image()).heads
    let numbers: [Float] = rgbPixels.map(Float.init)
    #expect(embeddings.map(\.values.floats) == [numbers, numbers])
    #expect(embeddings.map(\.name) == ["feature", nil])
  }

  @Test("outputs have no names if the metadata has none")
  func namelessHeads() throws {
    let embedder = try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: model([.init(shape: [1, 12])]).base))
    #expect(try embedder.embedding(of: try image()).heads.map(\.name) == [nil])
  }

  @Test("a region of interest gives the same embedding as the cropped image")
  func regionOfInterest() throws {
    let pixels = (0..<72).map { (index: Int) -> UInt8 in UInt8((index * 37) % 251) }
    let large = try InputImage(rgb: pixels, width: 4, height: 6)
    // Rows 2 and 3, columns 1 and 2.
    let cut = try InputImage(rgb: Array(pixels[27..<33] + pixels[39..<45]), width: 2, height: 2)
    let embedder = try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: model([.init(shape: [1, 12])]).base))
    let third: Float = 1.0 / 3
    let region = NormalizedRect(left: 0.25, top: third, right: 0.75, bottom: 2 * third)
    let part = try embedder.embedding(of: large, region: region)
    #expect(try embedder.embedding(of: cut) == part)
    let error = taskError {
      _ = try embedder.embedding(of: large, region: NormalizedRect(left: 0, top: 0, right: 0.5, bottom: 0))
    }
    #expect(error?.code == .invalidRegion)
  }

  @Test("quantized outputs are dequantized")
  func quantizedModel() throws {
    for (type, zeroPoint) in [(ElementType.uint8, Int32(100)), (.int8, -28)] {
      var model = model([.init(shape: [1, 12])])
      model.type = type
      model.scale = 0.5
      model.zeroPoint = zeroPoint
      model.normalization = nil
      let embedder = try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: model.base))
      let values = try #require(try embedder.embedding(of: try image()).values.floats)
      #expect(values == rgbPixels.map { (Float($0) - 100) * 0.5 })
    }
  }

  @Test("a float model without normalization requires it in the options, and then gives the same results")
  func withoutMetadata() throws {
    var described = model([.init(shape: [1, 12])])
    described.normalization = (127.5, 64)
    var bare = described
    bare.hasMetadata = false
    let error = taskError { _ = try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: bare.base)) }
    #expect(error?.code == .missingMetadata)
    #expect(error?.message.contains("inputNormalization") == true)
    var base = bare.base
    base.inputNormalization = InputNormalization(mean: [127.5], standardDeviation: [64])
    let first = try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: described.base)).embedding(of: try image())
    let second = try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: base)).embedding(of: try image())
    #expect(first == second)
  }

  @Test("models of other kinds are rejected with the reason")
  func refusals() {
    var gray = model([.init(shape: [4])])
    gray.channels = 1
    #expect(taskError { _ = try ImageEmbedder(options: .init(baseOptions: gray.base)) }?.code == .invalidModel)
    var transparent = model([.init(shape: [16])])
    transparent.channels = 4
    #expect(
      taskError { _ = try ImageEmbedder(options: .init(baseOptions: transparent.base)) }?.code == .invalidModel)
    var integers = model([.init(shape: [12])])
    integers.type = .int32
    #expect(
      taskError { _ = try ImageEmbedder(options: .init(baseOptions: integers.base)) }?.message.contains("int32") == true
    )
    #expect(taskError { _ = try ImageEmbedder(.file("/nowhere/model.tflite")) }?.code == .modelNotFound)
    #expect(taskError { _ = try ImageEmbedder(.bytes([])) }?.code == .invalidModel)
  }
}
