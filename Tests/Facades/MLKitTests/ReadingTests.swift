import Foundation
import MLKit
import SwiftletTestSupport
import Testing

import struct SwiftletImage.InputImage
@_spi(Facades) import struct SwiftletVision.ImageSnapshot
@_spi(Facades) import protocol SwiftletVision.ImageSource
@_spi(Facades) import enum SwiftletVision.ImageSourceKind
@_spi(Facades) import struct SwiftletVision.TaskError

/// Checks when and where the pixels of an image are read.
@Suite("Reading ML Kit's images", .timeLimit(.minutes(10)))
struct ReadingTests {
  /// Pixels that can be read after a gate is opened.
  private struct GatedSource: ImageSource {
    let buffer: ImageBuffer?
    let gate: DispatchSemaphore?
    let witness: Witness

    var kind: ImageSourceKind { .memory }
    var size: (width: Double, height: Double) { (0, 0) }

    func inputImage() throws -> InputImage {
      // Much longer than any call takes: a thread that waits so long is deadlocked.
      let isOpen = gate.map { $0.wait(timeout: .now() + 60) == .success } ?? true
      witness.add(isOpen: isOpen, isOnMainThread: MainThread.isCurrent)
      guard let buffer else { throw TaskError(.invalidImage, "nothing to see") }
      return InputImage(buffer)
    }
  }

  /// Records the accesses to a source. A lock protects it.
  private final class Witness: @unchecked Sendable {
    private let lock = NSLock()
    private var seen: [(isOpen: Bool, isOnMainThread: Bool)] = []

    func add(isOpen: Bool, isOnMainThread: Bool) {
      lock.withLock { seen.append((isOpen, isOnMainThread)) }
    }

    var all: [(isOpen: Bool, isOnMainThread: Bool)] { lock.withLock { seen } }
  }

  private final class GatedImage: NSObject, PixelSource {
    private let source: GatedSource
    init(_ source: GatedSource) { self.source = source }
    func snapshot() throws -> ImageSnapshot { try ImageSnapshot(source, orientation: .up) }
    var time: Duration? { nil }
  }

  private let witness = Witness()
  private let red: ImageBuffer

  init() throws { red = try ImageBuffer(bytes: [200, 100, 10], width: 1, height: 1, pixelFormat: .rgb8) }

  private func labeler(_ fixtures: Fixtures) -> ImageLabeler {
    let options = CustomImageLabelerOptions(localModel: fixtures.classifier)
    options.completionQueue = DispatchQueue(label: "completions")
    return ImageLabeler.imageLabeler(options: options)
  }

  @Test("happens after a call with a completion handler has returned, even if it fails")
  func later() async throws {
    let fixtures = try Fixtures()
    let labeler = labeler(fixtures)
    let gate = DispatchSemaphore(value: 0)
    for buffer in [red, nil] {
      let image = GatedImage(GatedSource(buffer: buffer, gate: gate, witness: witness))
      let (text, error) = await withCheckedContinuation { continuation in
        labeler.process(image) { labels, error in
          continuation.resume(returning: (labels?.first?.text, error as? MLKitError))
        }
        gate.signal()
      }
      #expect(buffer == nil ? text == nil && error?.message.contains("nothing to see") == true : text == "red")
    }
    #expect(witness.all.count == 2 && witness.all.allSatisfy { $0.isOpen && !$0.isOnMainThread })
  }

  @Test("doesn't happen on the main thread if it awaits the result")
  @MainActor
  func awaited() async throws {
    #expect(MainThread.isCurrent)
    let fixtures = try Fixtures()
    let image = GatedImage(GatedSource(buffer: red, gate: nil, witness: witness))
    let labeler = labeler(fixtures)
    #expect(try await labeler.process(image).first?.text == "red")
    let detector = ObjectDetector.objectDetector(options: fixtures.custom())
    _ = try await detector.process(image)
    #expect(witness.all.map(\.isOnMainThread) == [false, false])
  }
}
