import Foundation
import MLKit
import SwiftletModelStore
import Testing

/// The tests are serialized, because they share the process's handler. Other suites can cause warnings at the same
/// time, so each test counts only the warnings of its own topic.
@Suite("Warnings for developers", .serialized)
struct DeveloperWarningTests {
  private final class Heard: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [String] = []
    var texts: [String] { lock.withLock { all } }
    func add(_ text: String) { lock.withLock { all.append(text) } }
  }

  /// Returns the warnings that contain the given words while `body` runs.
  private func warnings(of words: String, _ body: () throws -> Void) rethrows -> [String] {
    let heard = Heard(), before = ObjectDetector.warningHandler
    ObjectDetector.warningHandler = { heard.add($0) }
    defer { ObjectDetector.warningHandler = before }
    try body()
    return heard.texts.filter { $0.contains(words) }
  }

  @Test("a developer is warned once if detectors are created for every frame")
  func manyDetectors() throws {
    let fixtures = try Fixtures()
    let told = warnings(of: "make one and keep it") {
      for _ in 0..<8 { _ = ObjectDetector.objectDetector(options: fixtures.custom()) }
    }
    #expect(told.count == 1)
  }

  @Test("a developer is warned once if no localizer is set, with the model and the line that sets one")
  func syntheticLocalizer() throws {
    let told = try warnings(of: "synthetic images") {
      for _ in 0..<2 { _ = try ObjectDetector.make(options: ObjectDetectorOptions()) }
    }
    #expect(told.count == 1)
    let text = try #require(told.first)
    #expect(text.contains("'swiftlet models fetch mobile-object-localizer'"))
    #expect(text.contains("ObjectDetector.defaultLocalizerModel = LocalModel(path: path)"))
    #expect(ModelCatalog.model(named: "mobile-object-localizer")?.task == .detectObjects)
  }

  @Test("a warning is written to the standard error output unless a handler is set")
  func defaultHandler() {
    #expect(ObjectDetector.warningHandler != nil)
  }
}
