import MLKitImageLabelingCustom
import Testing

/// Checks where and when ML Kit's classes read the pixels of a buffer.
@Suite("Reading an image's pixels", .timeLimit(.minutes(5)))
struct ReadingThreadTests {
  /// Records the accesses to a buffer. A lock protects it.
  private final class Witness: @unchecked Sendable {
    private let lock = NSLock()
    private var wasOnMainThread: [Bool] = []
    private var wasInTime = true
    let gate = DispatchSemaphore(value: 0)

    func see(waits: Bool) {
      // Much longer than any test takes: a thread that waits so long is deadlocked.
      let isOpen = !waits || gate.wait(timeout: .now() + 60) == .success
      lock.withLock {
        wasOnMainThread.append(MainThread.isCurrent)
        wasInTime = wasInTime && isOpen
      }
    }

    var isFree: Bool { lock.withLock { wasInTime } }
    var threads: [Bool] { lock.withLock { wasOnMainThread } }
  }

  private func labeler(_ model: ModelFile) -> ImageLabeler {
    let options = CustomImageLabelerOptions(localModel: LocalModel(path: model.path))
    options.completionQueue = DispatchQueue(label: "completions")
    options.strictMainThreadCheck = false
    return ImageLabeler.imageLabeler(options: options)
  }

  private func buffer(_ witness: Witness, waits: Bool) -> CVPixelBuffer {
    let pixels = OrientationTests.stored.flatMap { [$0[2], $0[1], $0[0], 255] as [UInt8] }
    let buffer = PixelBuffers.packed(kCVPixelFormatType_32BGRA, pixels, width: 3, height: 2, channels: 4)
    buffer.stubOnLock = { witness.see(waits: waits) }
    return buffer
  }

  @Test("happens after the call has returned, in order")
  func later() async throws {
    let model = try ModelFile.reading(width: 3, height: 2)
    let (witness, labeler) = (Witness(), labeler(model))
    let image = VisionImage(buffer: CMSampleBuffer(stub: buffer(witness, waits: true)))
    let best = await withCheckedContinuation { continuation in
      labeler.process(image) { labels, _ in continuation.resume(returning: labels?.first?.text) }
      // Later changes of the image don't affect the call.
      image.orientation = .down
      witness.gate.signal()
    }
    // The brightest byte of the image in its original orientation.
    #expect(best == "byte0" && witness.isFree && witness.threads == [false])
  }

  @Test("doesn't happen on the thread that awaits the result")
  @MainActor
  func awaited() async throws {
    let model = try ModelFile.reading(width: 3, height: 2)
    let (witness, labeler) = (Witness(), labeler(model))
    #expect(MainThread.isCurrent)
    let image = try #require(MLImage(pixelBuffer: buffer(witness, waits: false)))
    #expect(try await labeler.process(image).first?.text == "byte0")
    #expect(witness.threads == [false])
    // A blocking call reads on its own thread.
    #expect(try labeler.results(in: image).first?.text == "byte0")
    #expect(witness.threads.count == 2)
  }

  @Test("fails if the result is expected")
  func failure() async throws {
    let model = try ModelFile.reading(width: 3, height: 2)
    let labeler = labeler(model)
    let pixels = buffer(Witness(), waits: false)
    pixels.stubLockResult = kCVReturnError
    let image = try #require(MLImage(pixelBuffer: pixels))
    await #expect(throws: MLKitError.self) { try await labeler.process(image) }
    let told = await withCheckedContinuation { continuation in
      labeler.process(image) { labels, error in
        continuation.resume(returning: labels == nil && (error as? MLKitError)?.message.contains("locked") == true)
      }
    }
    #expect(told && pixels.stubRecord.lockCount == 0)
  }
}
