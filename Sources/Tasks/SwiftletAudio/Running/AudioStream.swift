import Dispatch
import SwiftletBase
@_spi(Facades) public import SwiftletTasks

/// A stream of audio, such as a microphone's, that comes in blocks of any length.
///
/// ```swift
/// let stream = classifier.stream()
/// let results = stream.results
/// Task {
///   for await window in results { show(try? window.result.get(), at: window.time) }
/// }
/// try stream.send(block, at: time)   // for every block of the microphone
/// ```
/// No block is dropped, because audio has no gaps. A window that is not full when the stream is released has no result.
///
/// - Thread safety: callable concurrently; blocks are processed one after the other.
public final class AudioStream: Sendable {
  /// The audio whose results are not delivered yet.
  private struct Backlog {
    var rules: AudioStreamRules
    var blockCount = 0
    var seconds = 0.0
  }

  private let processor: StreamProcessor
  private let stream: ResultStream<Classification>
  private let backlog: Mutex<Backlog>
  /// The queue on which receivers get results. A slow receiver does not delay the next block.
  private let resultQueue = DispatchQueue(label: "swiftlet.audio.results", qos: .userInitiated)

  init(_ processor: StreamProcessor, handler: (@Sendable (FrameResult<Classification>) -> Void)?) {
    self.processor = processor
    stream = ResultStream(handler)
    backlog = Mutex(Backlog(rules: AudioStreamRules(processor.format)))
  }

  /// Does not wait, because it may run on either queue.
  deinit { stream.close() }

  /// A new sequence of the results of windows that finish after this access, each with the time at which its window
  /// begins.
  ///
  /// Take it before the first block is sent. Code that iterates over it must not hold the stream, because the sequence
  /// ends when the stream is released.
  public var results: FrameResults<Classification> { stream.results }

  /// Hands a block over and returns at once. The results of the windows that it fills come through ``results``.
  ///
  /// While more than ``AudioClassifier/maximumBacklog`` of audio waits for the task, or for a handler that is slow, a
  /// block is refused with `.limitExceeded`, and may be sent again.
  ///
  /// - Parameters:
  ///   - block: Samples that follow the last block, at the same rate.
  ///   - time: The time at which the block begins, later than the time of the last one. The time of the first block is
  ///     the time of the first result; the times of further results follow from the number of samples.
  /// - Throws: `TaskError` for another rate than before, for channels that the model does not take, for a time that is
  ///   not later, for more than ``AudioClassifier/maximumWindowCount`` windows, and while too much audio waits. The block
  ///   then changes nothing.
  public func send(_ block: AudioClip, at time: Duration) throws(TaskError) {
    let seconds = Double(block.frameCount) / block.sampleRate
    try backlog.withLock { backlog throws(TaskError) in
      guard
        backlog.blockCount == 0 || backlog.seconds + seconds <= AudioClassifier.maximumBacklog / .seconds(1)
      else {
        throw TaskError(
          .limitExceeded,
          "\(backlog.seconds) seconds of audio wait for the task or for the receiver of its results; send this block again later"
        )
      }
      try backlog.rules.accept(block, at: time)
      backlog.blockCount += 1
      backlog.seconds += seconds
      // Under the lock: otherwise, of two threads, the one with the later block could be the first in the queue.
      enqueue(block, at: time, seconds: seconds)
    }
  }

  private func enqueue(_ block: AudioClip, at time: Duration, seconds: Double) {
    processor.queue.schedule { [weak self, processor, resultQueue] in
      guard self != nil else { return }
      let results = processor.results(of: block, at: time)
      resultQueue.async { [weak self] in
        // Holding the stream ensures that no receiver is called once the stream is released.
        guard let self else { return }
        for result in results {
          self.stream.finishFrame()
          self.stream.deliver(result)
        }
        self.backlog.withLock { backlog in
          backlog.blockCount -= 1
          // So that rounding does not add up.
          backlog.seconds = backlog.blockCount == 0 ? 0 : backlog.seconds - seconds
        }
      }
    }
  }
}

/// An audio classifier's results for blocks from an `AsyncSequence`, such as a microphone's.
///
/// ```swift
/// for await window in classifier.stream(microphone) { show(try? window.result.get(), at: window.time) }
/// ```
/// The next block is requested when all results of the last one were received, so a slow consumer makes the blocks wait,
/// and nothing piles up. The sequence ends when the blocks end or its consumer is cancelled. An error of one block or
/// window is an element; an error of the sequence of blocks ends the sequence. Audio that does not fill a window has no
/// result.
///
/// Each iterator reads the blocks from the beginning, as a stream of its own.
public struct AudioStreamResults<Blocks>: AsyncSequence, Sendable
where Blocks: AsyncSequence & Sendable, Blocks.Element == (AudioClip, Duration) {
  /// The outcome of a window with the time at which it begins, or the error of a block with its time.
  public typealias Element = FrameResult<Classification>
  /// The error of the sequence of blocks.
  @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
  public typealias Failure = Blocks.Failure

  let blocks: Blocks
  let processor: @Sendable () -> StreamProcessor

  /// Creates an iterator over the results of a new stream.
  public func makeAsyncIterator() -> Iterator {
    let processor = processor()
    return Iterator(
      blocks: blocks.makeAsyncIterator(), processor: processor, rules: AudioStreamRules(processor.format))
  }

  /// An iterator that waits for one result after the other.
  public struct Iterator: AsyncIteratorProtocol {
    var blocks: Blocks.AsyncIterator
    let processor: StreamProcessor
    var rules: AudioStreamRules
    /// Results that were not requested yet, the next one last.
    var waiting: [Element] = []

    /// Returns the next result, or `nil` if the blocks have ended or the consumer is cancelled.
    ///
    /// - Throws: The error of the sequence of blocks.
    public mutating func next() async rethrows -> Element? {
      while waiting.isEmpty {
        guard !Task.isCancelled, let (block, time) = try await blocks.next(),
          let results = await processor.awaitedResults(of: block, at: time, rules: &rules)
        else { return nil }
        waiting = results.reversed()
      }
      return waiting.popLast()
    }

    /// Returns the next result, or `nil` if the blocks have ended or the consumer is cancelled.
    ///
    /// - Throws: The error of the sequence of blocks.
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      while waiting.isEmpty {
        guard !Task.isCancelled, let (block, time) = try await blocks.next(isolation: actor),
          let results = await processor.awaitedResults(of: block, at: time, rules: &rules)
        else { return nil }
        waiting = results.reversed()
      }
      return waiting.popLast()
    }
  }
}

/// Processes the blocks of one stream, one after the other.
///
/// - Thread safety: callable concurrently.
final class StreamProcessor: Sendable {
  private struct State {
    var pool: PipelinePool<AudioClassifierPipeline>?
    let windows: StreamWindows
  }

  let format: AudioModelFormat
  /// The queue of blocks that the caller does not wait for on its own thread.
  let queue = WorkQueue("swiftlet.audioClassifier.blocks")
  private let runner: TaskRunner<AudioClassifierPipeline>
  private let state: Mutex<State>

  init(_ runner: TaskRunner<AudioClassifierPipeline>, _ format: AudioModelFormat) {
    (self.runner, self.format) = (runner, format)
    state = Mutex(State(windows: StreamWindows(format)))
  }

  /// Returns the results of the windows that a block fills, or the error of the block.
  func results(of block: AudioClip, at time: Duration) -> [FrameResult<Classification>] {
    do throws(TaskError) {
      return try state.withLock { state throws(TaskError) in
        let pool = if let pool = state.pool { pool } else { try runner.sessionPool() }
        state.pool = pool
        let windows = state.windows
        return try pool.withPipeline { try $0.process(block, at: time, of: windows) }
      }
    } catch {
      return [FrameResult(time: time, result: .failure(error))]
    }
  }

  /// Returns the results of the windows that a block fills, without blocking the caller's thread; `nil` if the caller is
  /// cancelled.
  func awaitedResults(
    of block: AudioClip, at time: Duration, rules: inout AudioStreamRules
  ) async -> [FrameResult<Classification>]? {
    do throws(TaskError) {
      try rules.accept(block, at: time)
    } catch {
      return [FrameResult(time: time, result: .failure(error))]
    }
    let results = try? await queue.value { self.results(of: block, at: time) }
    return Task.isCancelled ? nil : results
  }
}

/// The windows of one stream: the rest of its last block, and the time of its next window.
///
/// One caller at a time.
final class StreamWindows {
  private let windows: WindowMaker
  private var time: Duration?

  init(_ format: AudioModelFormat) { windows = WindowMaker(format) }

  /// Takes the block that follows the last one.
  ///
  /// - Parameters:
  ///   - time: The time of the block. Only the time of the first block counts: from there on, time is counted in samples.
  ///   - body: Receives each window that is full, and the time at which it begins.
  /// - Throws: `TaskError` if the block has a format that the model cannot be given.
  func take(
    _ block: AudioClip, at time: Duration, _ body: (UnsafeBufferPointer<Float>, _ time: Duration) -> Void
  ) throws(TaskError) {
    var next: Duration
    if let known = self.time {
      next = known
    } else {
      try windows.begin(sampleRate: block.sampleRate)
      next = time
    }
    try TaskError.wrapping {
      try windows.take(block) { window in
        body(window, next)
        next += windows.format.step
      }
    }
    self.time = next
  }
}

/// The rules for the blocks of a stream: their times increase, and all have the sample rate of the first one.
struct AudioStreamRules: Sendable {
  private let format: AudioModelFormat
  private var clock = FrameClock()
  private var sampleRate: Double?

  init(_ format: AudioModelFormat) { self.format = format }

  /// Accepts a block.
  ///
  /// - Throws: `TaskError` for a block that does not belong to the stream; it then changes nothing.
  mutating func accept(_ block: AudioClip, at time: Duration) throws(TaskError) {
    try format.requireChannels(of: block)
    if let sampleRate, sampleRate != block.sampleRate {
      throw TaskError(
        .invalidAudio, "the block has \(block.sampleRate) Hz, but the stream began with \(sampleRate) Hz",
        .sampleRate(block.sampleRate, expected: sampleRate))
    }
    if sampleRate == nil, block.sampleRate != format.sampleRate {
      _ = try ResamplingRatio(from: block.sampleRate, to: format.sampleRate)
    }
    try format.requireFewWindows(of: block)
    try clock.accept(time)
    sampleRate = block.sampleRate
  }
}
