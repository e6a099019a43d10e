import Dispatch
import SwiftletBase
import SwiftletTestSupport
import Testing

@_spi(Facades) import SwiftletTasks

@testable import SwiftletAudio

@Suite("Audio stream")
struct AudioStreamTests {
  private func streaming(_ model: PassingModel = .sound(window: 4)) throws -> AudioStream {
    try model.classifier().stream()
  }

  private func block(_ samples: [Float], rate: Double = 16_000) throws -> AudioClip {
    try AudioClip(samples: samples, sampleRate: rate)
  }

  /// Returns the first `count` results for the audio that `body` sends.
  private func results(
    _ count: Int, of model: PassingModel = .sound(window: 4), _ body: (AudioStream) throws -> Void
  ) async throws -> [FrameResult<Classification>] {
    let (stream, continuation) = AsyncStream.makeStream(of: FrameResult<Classification>.self)
    let audio = try model.classifier().stream { continuation.yield($0) }
    try body(audio)
    var results: [FrameResult<Classification>] = []
    for await result in stream {
      results.append(result)
      if results.count == count { break }
    }
    withExtendedLifetime(audio) {}
    return results
  }

  @Test("windows span blocks, and times follow from samples")
  func windows() async throws {
    let results = try await results(3) { classifier in
      try classifier.send(block(ramp(3)), at: .seconds(7))
      try classifier.send(block([]), at: .seconds(8))
      try classifier.send(block(ramp(6, from: 4)), at: .seconds(9))
      try classifier.send(block(ramp(3, from: 10)), at: .seconds(10))
    }
    #expect(try results.map { try $0.result.get().samples } == [ramp(4), ramp(4, from: 5), ramp(4, from: 9)])
    let times = (0..<3).map { Duration.seconds(7) + .microseconds(250 * $0) }
    #expect(results.map(\.time) == times)
  }

  @Test("resampling is independent of block boundaries")
  func resampled() async throws {
    let model = PassingModel.sound(window: 16)
    let samples = ramp(90)
    let clip = try await model.classifier().classification(of: block(samples, rate: 44_100), priority: .userInitiated)
      .windows
    let results = try await results(1, of: model) { classifier in
      for start in stride(from: 0, to: 90, by: 9) {
        try classifier.send(block(Array(samples[start..<start + 9]), rate: 44_100), at: .milliseconds(start))
      }
    }
    #expect(try results[0].result.get().samples == clip[0].samples)
  }

  @Test("an invalid block changes nothing")
  func refused() async throws {
    let results = try await results(1) { classifier in
      try classifier.send(block(ramp(2)), at: .seconds(1))
      let late = taskError { try classifier.send(block(ramp(2)), at: .seconds(1)) }
      #expect(late?.code == .timeNotIncreasing)
      let rate = taskError { try classifier.send(block(ramp(2), rate: 8000), at: .seconds(2)) }
      #expect(rate?.code == .invalidAudio && rate?.cause == .sampleRate(8000, expected: 16_000))
      try classifier.send(block(ramp(2, from: 3)), at: .seconds(2))
    }
    #expect(try results[0].result.get().samples == ramp(4))
    let other = try streaming(.sound(window: 4, channels: 2))
    #expect(taskError { try other.send(block([1]), at: .zero) }?.code == .invalidAudio)
    let fresh = try streaming()
    #expect(taskError { try fresh.send(block([1], rate: 1), at: .zero) }?.code == .invalidAudio)
    try fresh.send(block([1]), at: .zero)
  }

  @Test("while the backlog is full, blocks are rejected and can be sent again")
  func backlog() async throws {
    let gate = Gate()
    let (received, continuation) = AsyncStream.makeStream(of: Void.self)
    let classifier = try PassingModel.sound(window: 8000).classifier().stream { _ in
      while !gate.isOpen.withLock({ $0 }) {}
      continuation.yield()
    }
    // Longer than the limit, but no block is waiting.
    let long = try block([Float](repeating: 0, count: 16_000 * 40))
    try classifier.send(long, at: .zero)
    let second = try block([Float](repeating: 0, count: 16_000))
    let error = taskError { try classifier.send(second, at: .seconds(40)) }
    #expect(error?.code == .limitExceeded && error?.message.contains("40.0 seconds") == true)
    gate.isOpen.withLock { $0 = true }
    var iterator = received.makeAsyncIterator()
    for _ in 0..<80 { await iterator.next() }
    // The last result has arrived, but its block may still count as waiting.
    while taskError({ try classifier.send(second, at: .seconds(40)) })?.code == .limitExceeded { await Task.yield() }
    for _ in 0..<2 { await iterator.next() }
  }

  @Test("the backlog has exactly the documented limit")
  func backlogLimit() async throws {
    #expect(AudioClassifier.maximumBacklog == .seconds(30))
    let gate = DispatchSemaphore(value: 0)
    let (received, continuation) = AsyncStream.makeStream(of: Void.self)
    let classifier = try PassingModel.sound(window: 100, sampleRate: 100).classifier().stream { _ in
      gate.wait()
      gate.signal()
      continuation.yield()
    }
    let block = try block([Float](repeating: 0, count: 1000), rate: 100)
    for index in 0..<3 { try classifier.send(block, at: .seconds(10 * index)) }
    let sample = try self.block([1], rate: 100)
    let error = taskError { try classifier.send(sample, at: .seconds(30)) }
    #expect(error?.code == .limitExceeded)
    #expect(
      error?.message
        == "30.0 seconds of audio wait for the task or for the receiver of its results; send this block again later")
    gate.signal()
    var iterator = received.makeAsyncIterator()
    for _ in 0..<30 { await iterator.next() }
  }

  @Test("a stream rejects invalid blocks with the reason")
  func rules() throws {
    let rules = AudioModelFormat(sampleRate: 16_000, channelCount: 2, windowLength: 4)
    var stream = AudioStreamRules(rules)
    let stereo = try AudioClip(samples: [1, 2], channelCount: 2, sampleRate: 8000)
    try stream.accept(stereo, at: .seconds(1))
    let faster = try AudioClip(samples: [1, 2], channelCount: 2, sampleRate: 8001)
    let rate = taskError { try stream.accept(faster, at: .seconds(2)) }
    #expect(rate?.message == "the block has 8001.0 Hz, but the stream began with 8000.0 Hz")
    let mono = taskError { try stream.accept(block([1], rate: 8000), at: .seconds(2)) }
    #expect(mono?.message == "the sound has 1 channels, but the model takes 2")
    #expect(taskError { try stream.accept(stereo, at: .seconds(1)) }?.code == .timeNotIncreasing)
    // A rejected block has no effect on the stream.
    try stream.accept(stereo, at: .seconds(1) + .microseconds(1))
  }

  @Test("live results are an asynchronous sequence that ends with the stream")
  func sequence() async throws {
    var classifier: AudioStream? = try streaming()
    let results = try #require(classifier?.results)
    try classifier?.send(block(ramp(4)), at: .zero)
    var iterator = results.makeAsyncIterator()
    #expect(try await iterator.next()?.result.get().samples == ramp(4))
    classifier = nil
    #expect(await iterator.next() == nil)
  }

  /// A gate that blocks a handler until it is opened.
  private final class Gate: Sendable {
    let isOpen = Mutex(false)
  }

  private struct Trouble: Error, Equatable {}

  @Test("a sequence of blocks gives a sequence of results, and each iterator is a separate stream")
  func stream() async throws {
    let classifier = try PassingModel.sound(window: 4).classifier()
    let blocks = try [ramp(3), ramp(9, from: 4)].enumerated().map { (try block($1), Duration.seconds($0)) }
    let stream = classifier.stream(
      AsyncThrowingStream<(AudioClip, Duration), any Error> { continuation in
        for block in blocks { continuation.yield(block) }
        continuation.finish(throwing: Trouble())
      })
    var windows: [[Float]] = []
    await #expect(throws: Trouble.self) {
      for try await window in stream { windows.append(try window.result.get().samples) }
    }
    #expect(windows == [ramp(4), ramp(4, from: 5), ramp(4, from: 9)])
  }

  @Test("results of a sequence of blocks can be requested one by one")
  func oneByOne() async throws {
    let classifier = try PassingModel.sound(window: 4).classifier()
    let block = try block(ramp(9))
    let blocks = AsyncStream<(AudioClip, Duration)> { continuation in
      continuation.yield((block, .seconds(3)))
      continuation.finish()
    }
    var iterator = classifier.stream(blocks).makeAsyncIterator()
    for index in 0..<2 {
      let result = try #require(await iterator.next())
      #expect(try result.result.get().samples == ramp(4, from: 1 + 4 * index))
      #expect(result.time == .seconds(3) + .microseconds(250 * index))
    }
    #expect(await iterator.next() == nil)
  }

  @Test("the error of a block is an element of the results")
  func streamErrors() async throws {
    let blocks: [(AudioClip, Duration)] = [
      (try block(ramp(2)), .seconds(1)), (try block(ramp(2)), .seconds(1)),
      (try block(ramp(2), rate: 8000), .seconds(2)),
      (try block(ramp(2, from: 3)), .seconds(3)),
    ]
    func sequence() -> AsyncStream<(AudioClip, Duration)> {
      AsyncStream { continuation in
        for block in blocks { continuation.yield(block) }
        continuation.finish()
      }
    }
    var found: [Swift.Result<[Float], TaskError>] = []
    for await element in try PassingModel.sound(window: 4).classifier().stream(sequence()) {
      found.append(element.result.map(\.samples))
    }
    #expect(try found.count == 3 && found.last?.get() == ramp(4))
    #expect(
      found.prefix(2).map { result in taskError { _ = try result.get() }?.code } == [.timeNotIncreasing, .invalidAudio])
  }
}
