import Foundation
import SwiftletTestSupport
import Testing

@Suite("A Swift 5 app's code for TensorFlow Lite")
struct FrameWatcherTests {
  @Test("watches frames, whatever it asks to run on", arguments: [false, true], [false, true])
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
    #expect(try await watch(PassingModel.picture(quantizedBy: 2), [1, 2, 3, 4, 5, 6]) == [2, 4, 6, 8, 10, 12])
    #expect(try await watch(PassingModel.picture(), [0, 51, 102, 153, 204, 255]) == [0, 0.2, 0.4, 0.6, 0.8, 1])
  }

  @Test("is not made without a model")
  func noModel() {
    #expect(FrameWatcher(modelPath: "/no/such/model", width: 1, height: 1) == nil)
  }

  @Test("reads data by the helpers that apps have")
  func helpers() {
    let data = Data(copyingBufferOf: [Float(1), 2, 3])
    #expect(data.toArray(type: Float.self) == [1, 2, 3] && [Float](unsafeData: data) == [1, 2, 3])
    #expect([Float](unsafeData: data.dropLast()) == nil)
  }
}
