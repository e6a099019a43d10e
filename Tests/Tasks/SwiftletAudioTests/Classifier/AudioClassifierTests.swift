import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletAudio

@Suite("Audio classifier")
struct AudioClassifierTests {
  private func windows(_ model: PassingModel, _ clip: AudioClip) throws -> [[Float]] {
    try model.classifier().classification(of: clip).windows.map(\.samples)
  }

  @Test("a clip is split into windows, and the last one is padded with silence")
  func cut() throws {
    let model = PassingModel.sound(window: 4)
    #expect(try windows(model, AudioClip(samples: ramp(8), sampleRate: 16_000)) == [[1, 2, 3, 4], [5, 6, 7, 8]])
    #expect(try windows(model, AudioClip(samples: ramp(5), sampleRate: 16_000)) == [[1, 2, 3, 4], [5, 0, 0, 0]])
    #expect(try windows(model, AudioClip(samples: [7], sampleRate: 16_000)) == [[7, 0, 0, 0]])
  }

  @Test("windows longer than a processing block are complete")
  func longWindows() throws {
    let samples = ramp(25_000)
    let found = try windows(.sound(window: 10_000), AudioClip(samples: samples, sampleRate: 16_000))
    #expect(Array(found.joined().prefix(25_000)) == samples && found.count == 3)
  }

  @Test("windows have start times in whole microseconds")
  func times() throws {
    let clip = try AudioClip(samples: ramp(31_201), sampleRate: 16_000)
    let classifier = try PassingModel.sound(window: 15_600).classifier { $0.maxResults = 1 }
    let results = try classifier.classification(of: clip).windows
    #expect(results.map(\.time) == [.zero, .milliseconds(975), .milliseconds(1950)])
    #expect(try PassingModel.sound(window: 1, sampleRate: 3).classifier().windowDuration == .microseconds(333_333))
  }

  @Test("several channels are mixed for a model with one channel, and interleaved for a model with the same number")
  func channels() throws {
    let clip = try AudioClip(channels: [[1, 2, 3], [5, 0, 1]], sampleRate: 16_000)
    #expect(try windows(.sound(window: 2), clip) == [[3, 1], [2, 0]])
    #expect(try windows(.sound(window: 2, channels: 2), clip) == [[1, 5, 2, 0], [3, 1, 0, 0]])
    let three = try AudioClip(channels: [[1], [2], [6]], sampleRate: 16_000)
    #expect(try windows(.sound(window: 2), three) == [[3, 0]])
    let error = taskError { _ = try windows(.sound(window: 2, channels: 2), three) }
    #expect(error?.code == .invalidAudio && error?.message.contains("3 channels, but the model takes 2") == true)
    let mono = try AudioClip(samples: [1], sampleRate: 16_000)
    #expect(taskError { _ = try windows(.sound(window: 2, channels: 2), mono) }?.code == .invalidAudio)
  }

  @Test("a clip with another rate is resampled like in MediaPipe")
  func resampled() throws {
    // One sample at 1000 Hz affects six frames of 16 samples each; checked with MediaPipe 1.2.2.
    let clip = try AudioClip(samples: [1], sampleRate: 1000)
    #expect(try windows(.sound(window: 7), clip).count == 14)
    let classifier = try PassingModel.sound(window: 7).classifier()
    let first = try classifier.classification(of: clip)
    #expect(abs(first.windows[0].samples[0] - 0.9) < 1e-6)
    #expect(try classifier.classification(of: AudioClip(samples: ramp(3), sampleRate: 8000)) != first)
    #expect(try classifier.classification(of: clip) == first)
  }

  @Test("invalid clips are rejected, and the next clip works")
  func refused() throws {
    let classifier = try PassingModel.sound(window: 2).classifier()
    let empty = try AudioClip(samples: [], sampleRate: 16_000)
    #expect(taskError { _ = try classifier.classification(of: empty) }?.code == .invalidAudio)
    for rate in [1e-300, 1, 1e9, 1e300] {
      let clip = try AudioClip(samples: [1], sampleRate: rate)
      #expect(taskError { _ = try classifier.classification(of: clip) }?.code == .invalidAudio)
    }
    let loud = try AudioClip(
      samples: [.greatestFiniteMagnitude, .greatestFiniteMagnitude], channelCount: 2, sampleRate: 16_000)
    // Their sum is infinite, and as a score it exceeds every threshold.
    #expect(try classifier.classification(of: loud).windows.count == 1)
    let clip = try AudioClip(samples: [1], sampleRate: 16_000)
    #expect(try classifier.classification(of: clip).windows.map(\.samples) == [[1, 0]])
  }

  @Test("options filter classes, as for images")
  func options() throws {
    let model = PassingModel.sound(window: 4, labels: ["a", "b", "c", "d"])
    let clip = try AudioClip(samples: [0.1, 0.4, 0.3, -1], sampleRate: 16_000)
    func names(_ change: (inout AudioClassifierOptions) -> Void) throws -> [String?] {
      let result = try AudioClassifier(.bytes(model.bytes), configure: change).classification(of: clip)
      return result.windows[0].classification.heads[0].categories.map(\.categoryName)
    }
    #expect(try names { _ in } == ["b", "c", "a"])
    #expect(try names { $0.maxResults = 2 } == ["b", "c"])
    #expect(try names { $0.scoreThreshold = 0.3 } == ["b", "c"])
    #expect(try names { $0.categoryAllowlist = ["a", "d"] } == ["a"])
    #expect(try names { $0.categoryDenylist = ["b"] } == ["c", "a"])
    #expect(taskError { _ = try names { $0.maxResults = 0 } }?.code == .invalidOption)
    #expect(taskError { _ = try names { $0.scoreThreshold = .nan } }?.code == .invalidOption)
    #expect(
      taskError { _ = try names { ($0.categoryAllowlist, $0.categoryDenylist) = (["a"], ["b"]) } }?.code
        == .invalidOption)
    #expect(try AudioClassifier(.bytes(model.bytes)).categoryNames == ["a", "b", "c", "d"])
  }

  @Test("every output is a separate head")
  func heads() throws {
    var model = PassingModel.sound(window: 2)
    model.outputs.append(.init(shape: [2], name: "more", labels: ["x", "y"]))
    let clip = try AudioClip(samples: [1, 2], sampleRate: 16_000)
    let heads = try model.classifier().classification(of: clip).windows[0].classification.heads
    #expect(heads.map(\.name) == ["scores", "more"])
    #expect(heads[1].categories.map(\.categoryName) == ["y", "x"])
  }

  @Test("options have their defaults, and keep their values")
  func optionValues() {
    let base = BaseOptions(model: .file("m"))
    let plain = AudioClassifierOptions(baseOptions: base)
    #expect(plain.baseOptions == base && plain.displayNamesLocale == "en")
    #expect(plain.maxResults == nil && plain.scoreThreshold == 0)
    #expect(plain.categoryAllowlist.isEmpty && plain.categoryDenylist.isEmpty)
    let full = AudioClassifierOptions(
      baseOptions: base, displayNamesLocale: "de", maxResults: 3, scoreThreshold: 0.5,
      categoryAllowlist: ["a"], categoryDenylist: ["b"])
    #expect(full.displayNamesLocale == "de" && full.maxResults == 3)
    #expect(full.scoreThreshold == 0.5 && full.categoryAllowlist == ["a"] && full.categoryDenylist == ["b"])
  }

  @Test("a clip without samples is rejected with the reason")
  func emptyClip() throws {
    let empty = try AudioClip(samples: [], sampleRate: 16_000)
    let error = taskError { _ = try PassingModel.sound(window: 2).classifier().classification(of: empty) }
    #expect(error == TaskError(.invalidAudio, "the clip has no samples"))
  }

  @Test("clips near the block length are complete", arguments: [4095, 4096, 4097, 8193], [1, 2])
  func pieces(frameCount: Int, channelCount: Int) throws {
    let samples = ramp(frameCount * channelCount)
    let clip = try AudioClip(samples: samples, channelCount: channelCount, sampleRate: 16_000)
    let found = try windows(.sound(window: 3000, channels: UInt32(channelCount)), clip)
    #expect(Array(found.joined().prefix(samples.count)) == samples)
    #expect(found.joined().dropFirst(samples.count).allSatisfy { $0 == 0 })
    #expect(found.count == (frameCount + 2999) / 3000)
    // Mixed down to one channel, each frame is the mean of its samples.
    let mixed = try windows(.sound(window: 3000), clip).joined().prefix(frameCount)
    let means = (0..<frameCount).map { frame in
      samples[frame * channelCount..<(frame + 1) * channelCount].reduce(0, +) / Float(channelCount)
    }
    #expect(Array(mixed) == means)
  }

  @Test("consecutive clips with different rates don't mix, whether kernels are kept or not")
  func rates() throws {
    let classifier = try PassingModel.sound(window: 16).classifier()
    let slow = try AudioClip(samples: ramp(20), sampleRate: 8000)
    let fast = try AudioClip(samples: ramp(20), sampleRate: 32_000)
    let first = try classifier.classification(of: slow), second = try classifier.classification(of: fast)
    #expect(first != second)
    for _ in 0..<2 { #expect(try classifier.classification(of: slow) == first) }
    for _ in 0..<2 { #expect(try classifier.classification(of: fast) == second) }
  }

  /// Returns the windows of a silent clip, for a model with one channel at 16 kHz.
  private func windows(_ frames: Int, _ rate: Double, window: Int) throws -> ClipWindows {
    let maker = WindowMaker(AudioModelFormat(sampleRate: 16_000, channelCount: 1, windowLength: window))
    let clip = try AudioClip(samples: [Float](repeating: 0, count: frames), sampleRate: rate)
    return try ClipWindows(clip, maker)
  }

  @Test("the number of windows is estimated, with one to spare")
  func expectedWindows() throws {
    #expect(try windows(12, 16_000, window: 4).expectedCount == 4)
    #expect(try windows(11, 16_000, window: 4).expectedCount == 3)
    #expect(try windows(12, 8000, window: 4).expectedCount == 7)
  }

  @Test("a call has up to 262,144 windows, and one more sample is rejected before processing")
  func windowLimit() throws {
    #expect(AudioClassifier.maximumWindowCount == 262_144)
    let most = AudioClassifier.maximumWindowCount
    let exact = try windows(2 * most, 16_000, window: 2)
    var count = 0
    while try exact.next({ _, _ in count += 1 }) != nil {}
    #expect(count == most && exact.count == most)
    let error = taskError { _ = try windows(2 * most + 1, 16_000, window: 2) }
    #expect(
      error
        == TaskError(
          .limitExceeded,
          "the audio has 262145 or more windows, which exceeds the limit of 262144 for a call; split it into shorter pieces"
        ))
    let clip = try AudioClip(samples: [Float](repeating: 0, count: 2 * most + 1), sampleRate: 16_000)
    #expect(taskError { _ = try PassingModel.sound(window: 2).classifier().classification(of: clip) } == error)
    let stream = try PassingModel.sound(window: 2).classifier().stream()
    #expect(taskError { try stream.send(clip, at: .zero) } == error)
  }

  @Test("windows that only resampling adds count too")
  func resampledWindows() throws {
    // The estimated number of windows equals the limit; the end of the kernel adds a few more.
    let many = try windows(AudioClassifier.maximumWindowCount / 2, 8000, window: 1)
    let error = taskError { while try many.next({ _, _ in }) != nil {} }
    #expect(error?.code == .limitExceeded && many.count == AudioClassifier.maximumWindowCount)
  }

  @Test("results on demand equal the results of all windows")
  func sequence() throws {
    let classifier = try PassingModel.sound(window: 2).classifier()
    for rate in [16_000.0, 8000, 44_100] {
      let clip = try AudioClip(samples: ramp(5), sampleRate: rate)
      let all = try classifier.classification(of: clip).windows
      #expect(try classifier.windows(of: clip).map { try $0.get() } == all)
      // Calls between two windows don't affect the iteration.
      var iterator = classifier.windows(of: clip).makeIterator()
      var found: [AudioClassification.Window] = []
      while let result = iterator.next() {
        found.append(try result.get())
        #expect(try classifier.classification(of: clip).windows == all)
      }
      #expect(found == all && iterator.next() == nil)
    }
  }

  @Test("a failure is the last of the results on demand")
  func sequenceFailures() throws {
    let classifier = try PassingModel.sound(window: 2).classifier()
    func failures(_ classifier: AudioClassifier, _ clip: AudioClip) -> [TaskError.Code?] {
      classifier.windows(of: clip).map { result in
        if case .failure(let error) = result { error.code } else { nil }
      }
    }
    #expect(try failures(classifier, AudioClip(samples: [], sampleRate: 16_000)) == [.invalidAudio])
    let clip = try AudioClip(samples: ramp(4), sampleRate: 16_000)
    #expect(failures(classifier, clip) == [nil, nil])
    let late = CallContext(timeout: .zero - .seconds(1)).carry { failures(classifier, clip) }
    #expect(late == [.deadlineExceeded])
  }

  /// The memory that counts for a window of two classes, including the audio that its model keeps.
  private static let windowByteCount = 128 + MemoryLayout<Classification.Head>.stride + 2 * 128
  private static let keptByteCount = 2 * 2 * 4

  @Test("results of exactly the limit are returned; with a byte less, only single results are", arguments: 0...1)
  func resultLimit(missing: Int) throws {
    let classifier = try PassingModel.sound(window: 2).classifier {
      $0.baseOptions.limits.resultBytes = 3 * Self.windowByteCount + Self.keptByteCount - missing
    }
    let clip = try AudioClip(samples: ramp(6), sampleRate: 16_000)
    for _ in 0..<2 {
      let error = taskError {
        let found = try classifier.classification(of: clip).windows.count
        #expect(found == 3)
      }
      #expect(error?.code == (missing == 0 ? nil : .limitExceeded))
    }
    #expect(try classifier.windows(of: clip).map { try $0.get() }.count == 3)
    #expect(
      taskError {
        _ = try PassingModel.sound(window: 2).classifier {
          $0.baseOptions.limits.resultBytes = Self.keptByteCount - 1
        }
      }?.message.hasPrefix("windows of audio bring") == true)
  }

  @Test("a clip ends at the deadline of its call, also between windows")
  func deadline() throws {
    let classifier = try PassingModel.sound(window: 2).classifier { $0.baseOptions.timeout = .seconds(3600) }
    let clip = try AudioClip(samples: ramp(6), sampleRate: 16_000)
    #expect(try classifier.classification(of: clip).windows.count == 3)
    CallContext(timeout: .zero - .seconds(1)).carry {
      #expect(taskError { _ = try classifier.classification(of: clip) }?.code == .deadlineExceeded)
    }
    #expect(try classifier.classification(of: clip).windows.count == 3)
  }

  @Test("the async form gives the same results, and ends when it is cancelled")
  func async() async throws {
    let classifier = try PassingModel.sound(window: 2).classifier()
    let clip = try AudioClip(samples: ramp(3), sampleRate: 16_000)
    #expect(
      try await classifier.classification(of: clip, priority: .userInitiated).windows.map(\.samples) == [
        [1, 2], [3, 0],
      ])
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await classifier.classification(of: clip, priority: .userInitiated)
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }
}
