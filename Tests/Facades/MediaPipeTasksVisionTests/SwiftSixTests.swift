import Foundation
import MediaPipeTasksVision
import Testing

@Suite("Apps in Swift 6 mode", .timeLimit(.minutes(30)))
struct SwiftSixTests {
  /// A classifier's model in a file that is deleted with the object.
  private final class ModelFile {
    let path = NSTemporaryDirectory() + "swiftlet-\(UUID().uuidString).tflite"

    init() throws { try Data(SyntheticModels.classes).write(to: URL(fileURLWithPath: path)) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private static func pixel(_ color: [UInt8]) throws -> MPImage { try MPImage(rgb: color, width: 1, height: 1) }

  @Test("a class of the main actor is the delegate, on the main queue")
  @MainActor
  func mainQueue() async throws {
    let file = try ModelFile()
    let screen = try CameraScreen(modelPath: file.path)
    let colors: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]]
    for (time, color) in colors.enumerated() {
      let frame = try Self.pixel(color)
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        screen.onChange = { continuation.resume() }
        do { try screen.show(frame, at: time) } catch { continuation.resume(throwing: error) }
      }
    }
    #expect(screen.seen == ["red", "green", "blue"])
  }

  @Test("a class of the main actor is the delegate, on the task's queue")
  @MainActor
  func ownQueue() async throws {
    let file = try ModelFile()
    let screen = try QuietScreen(modelPath: file.path)
    let frame = try Self.pixel([0, 255, 0])
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      screen.onChange = { continuation.resume() }
      do { try screen.show(frame, at: 1) } catch { continuation.resume(throwing: error) }
    }
    #expect(screen.seen == ["green"])
  }

  @Test("an image can be sent to another queue")
  func capturedImage() async throws {
    let file = try ModelFile()
    let queue = try PhotoQueue(modelPath: file.path), photo = try Self.pixel([0, 0, 255])
    let name = await withCheckedContinuation { continuation in
      queue.name(of: photo) { continuation.resume(returning: $0) }
    }
    #expect(name == "blue")
    withExtendedLifetime(file) {}
  }
}
