import Foundation
import MLImage
import SwiftletTestSupport
import Testing

@Suite("Swift 5 apps' code")
struct SwiftFiveClientTests {
  @Test("processes frames with any delegate", arguments: [false, true], [false, true])
  func frames(usesNeuralEngine: Bool, usesGraphics: Bool) async throws {
    func watch(_ bytes: [UInt8], _ frame: [UInt8]) async throws -> [Float] {
      let path = NSTemporaryDirectory() + "swiftlet-\(UUID().uuidString).tflite"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      let watcher = try #require(
        FrameWatcher(
          modelPath: path, width: 2, height: 1, threadCount: 2, usesNeuralEngine: usesNeuralEngine,
          usesGraphics: usesGraphics))
      #expect(watcher.isQuantized == (frame.max() == 6))
      return try await withCheckedThrowingContinuation { continuation in
        watcher.watch(frame) { continuation.resume(with: $0) }
      }
    }
    #expect(try await watch(PassingModel.imageModel(quantizedBy: 2), [1, 2, 3, 4, 5, 6]) == [2, 4, 6, 8, 10, 12])
    #expect(try await watch(PassingModel.imageModel(), [0, 51, 102, 153, 204, 255]) == [0, 0.2, 0.4, 0.6, 0.8, 1])
  }

  @Test("requires a model")
  func noModel() {
    #expect(FrameWatcher(modelPath: "/no/such/model", width: 1, height: 1) == nil)
  }

  @Test("reads data with the helpers of apps")
  func helpers() {
    let data = Data(copyingBufferOf: [Float(1), 2, 3])
    #expect(data.toArray(type: Float.self) == [1, 2, 3] && [Float](unsafeData: data) == [1, 2, 3])
    #expect([Float](unsafeData: data.dropLast()) == nil)
  }

  @Test("classifies images with the Task Library's classes")
  func album() async throws {
    let model = PassingModel(
      type: .uint8, scale: 1 / 256, width: 2, height: 1,
      outputs: [.init(shape: [1, 6], labels: ["background", "b", "c", "d", "e", "f"])], normalization: nil)
    let path = NSTemporaryDirectory() + "swiftlet-\(UUID().uuidString).tflite"
    try Data(model.bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let sorter = try await withCheckedThrowingContinuation { continuation in
      AlbumSorter.newInstance(modelPath: path) { continuation.resume(with: $0) }
    }
    let pixels = try ImageBuffer(bytes: [255, 64, 32, 128, 8, 96], width: 2, height: 1, pixelFormat: .rgb8)
    let entry = await withCheckedContinuation { continuation in
      sorter.sort(pixels) { continuation.resume(returning: $0) }
    }
    #expect(entry?.classifications.categories.map(\.label) == ["d", "f", "b"])
    AlbumSorter.newInstance(modelPath: nil) { result in
      if case .success = result { Issue.record("there is no model") }
    }
  }

  @Test("adds numbers with LiteRT's classes")
  func pairs() async throws {
    let adder = try #require(PairAdder(modelData: Data(SmallModels.sum), accelerator: .gpu))
    let sum: [Float] = try await withCheckedThrowingContinuation { continuation in
      adder.add([1, 2], [10, 20]) { continuation.resume(with: $0) }
    }
    #expect(sum == [11, 22])
    #expect(PairAdder(modelData: Data([1, 2, 3])) == nil)
  }
}
