import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("Swift 5 apps' code for MediaPipe")
struct MediaPipeClientTests {
  /// Records the delegate calls. A lock protects it.
  private final class Listener: PhotoSorterDelegate, @unchecked Sendable {
    private let continuation: AsyncStream<([String], Int)>.Continuation
    init(_ continuation: AsyncStream<([String], Int)>.Continuation) { self.continuation = continuation }

    func photoSorter(_ sorter: PhotoSorter, didFind names: [String], at timestamp: Int) {
      continuation.yield((names, timestamp))
    }
  }

  private func withModel<Value>(_ bytes: [UInt8], _ body: (String) async throws -> Value) async throws -> Value {
    let path = NSTemporaryDirectory() + "swiftlet-\(UUID().uuidString).tflite"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
  }

  @Test("classifies images, also live")
  func images() async throws {
    let model = PassingModel(
      type: .uint8, scale: 1 / 256, width: 2, height: 1,
      outputs: [.init(shape: [1, 6], labels: ["a", "b", "c", "d", "e", "f"])], normalization: nil)
    try await withModel(model.bytes) { path in
      let image = try MPImage(rgb: [255, 64, 32, 128, 8, 96], width: 2, height: 1)
      #expect(PhotoSorter(modelPath: path)?.names(in: image) == ["a", "d"])
      let (results, continuation) = AsyncStream.makeStream(of: ([String], Int).self)
      let listener = Listener(continuation)
      let sorter = try #require(PhotoSorter(modelPath: path, isLive: true))
      sorter.delegate = listener
      sorter.watch(image, at: 40)
      var iterator = results.makeAsyncIterator()
      let result = await iterator.next()
      #expect(result?.0 == ["a", "d"] && result?.1 == 40)
      withExtendedLifetime(listener) {}
    }
    #expect(PhotoSorter(modelPath: nil) == nil && PhotoSorter(modelPath: "/no/such.tflite") == nil)
  }

  @Test("classifies text")
  func texts() async throws {
    let model = WordModel(
      .pattern("[^a-z]+"), length: 3, vocabulary: "<UNKNOWN> 2\na 5\nb 7\n", labels: ["first", "second", "third"])
    try await withModel(model.bytes) { path in
      let reader = NoteReader(modelPath: path)
      let names = await withCheckedContinuation { continuation in
        reader.read("a b") { categories, error in
          continuation.resume(returning: error == nil ? categories.map { $0.categoryName } : [])
        }
      }
      #expect(names == ["second", "first", "third"])
      #expect(reader.likeness("a", "a").map { abs($0 - 1) < 1e-9 } == true)
    }
  }

  @Test("classifies audio")
  func sound() async throws {
    var model = PassingModel(
      width: 1, height: 1, outputs: [.init(shape: [1, 2], labels: ["left", "right"])], normalization: nil)
    model.inputShape = [1, 2]
    model.sound = (16_000, 1)
    try await withModel(model.bytes) { path in
      let names = try NoiseMeter(modelPath: path).names(in: [0.25, 0.5], sampleRate: 16_000)
      #expect(names == ["right", "left"])
    }
    #expect(throws: (any Error).self) { try NoiseMeter(modelPath: "/no/such.tflite") }
  }
}
