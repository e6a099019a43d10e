import Dispatch
import SwiftletBase
@_spi(Facades) public import SwiftletTasks

/// A stream of audio that arrives in blocks of any length, such as a microphone's.
///
/// ```swift
/// let stream = classifier.stream()
/// let results = stream.results
/// Task {
///   for await window in results { show(try? window.result.get(), at: window.time) }
/// }
/// try stream.send(block, at: time)   // for every block of the microphone
/// ```
/// No block is dropped, because audio must be continuous. A window that is incomplete when the stream is released has
/// no result.
///
/// - Thread safety: callable concurrently; blocks are processed one by one.
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
  /// The queue that delivers results to receivers. A slow receiver does not delay the next block.
  private let resultQueue = DispatchQueue(label: "swiftlet.audio.results", qos: .userInitiated)

  init(_ processor: StreamProcessor, handler: (@Sendable (FrameResult<Classification>) -> Void)?) {
    self.processor = processor
    stream = ResultStream(handler)
    backlog = Mutex(Backlog(rules: AudioStreamRules(processor.format)))
  }

  /// Closes the stream without waiting, because this may run on either queue.
  deinit { stream.close() }

  /// A new sequence of the results of windows that finish after this access, each with the start time of its window.
  ///
  /// Create it before the first block is sent. Code that iterates over it must not retain the stream, because the
  /// sequence ends when the stream is released.
  public var results: FrameResults<Classification> { stream.results }

  /// Submits a block and returns immediately. The results of the windows that it completes are delivered through
  /// ``results``.
  ///
  /// While more than ``AudioClassifier/maximumBacklog`` of audio waits for the task, or for a slow handler, a block is
  /// rejected with `.limitExceeded`, and may be sent again.
  ///
  /// - Parameters:
  ///   - block: Samples that follow the last block, at the same rate.
  ///   - time: The start time of the block, later than that of the last one. The time of the first block is the time of
  ///     the first result; the times of further results follow from the number of samples.
  /// - Throws: `TaskError` for a different sample rate, for channels that the model doesn't support, for a timestamp
  ///   that is not later, for more than ``AudioClassifier/maximumWindowCount`` windows, and while too much audio waits.
  ///   The stream is then unchanged.
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
      // Enqueue under the lock, so that blocks from several threads stay in order.
      enqueue(block, at: time, seconds: seconds)
    }
  }

  private func enqueue(_ block: AudioClip, at time: Duration, seconds: Double) {
    processor.queue.schedule { [weak self, processor, resultQueue] in
      guard self != nil else { return }
      let results = processor.results(of: block, at: time)
      resultQueue.async { [weak self] in
        // Retain the stream, so that no receiver is called once it is released.
        guard let self else { return }
        for result in results {
          self.stream.finishFrame()
          self.stream.deliver(result)
        }
        self.backlog.withLock { backlog in
          backlog.blockCount -= 1
          // Reset the sum when the backlog is empty, so that rounding errors don't accumulate.
          backlog.seconds = backlog.blockCount == 0 ? 0 : backlog.seconds - seconds
        }
      }
    }
  }
}

/// The results of an audio classifier for blocks from an `AsyncSequence`, such as a microphone's.
///
/// ```swift
/// for await window in classifier.stream(microphone) { show(try? window.result.get(), at: window.time) }
/// ```
/// The next block is requested when all results of the previous one were received. A slow consumer thus delays the
/// blocks, and nothing accumulates. The sequence ends when the blocks end or its consumer is cancelled. An error of one
/// block or window is an element; an error of the sequence of blocks ends the sequence of results. Audio that does not
/// fill a window has no result.
///
/// Each iterator reads the blocks from the beginning, in a separate stream.
public struct AudioStreamResults<Blocks>: AsyncSequence, Sendable
where Blocks: AsyncSequence & Sendable, Blocks.Element == (AudioClip, Duration) {
  /// The outcome of a window with its start time, or the error of a block with its time.
  public typealias Element = FrameResult<Classification>
  /// The error type of the sequence of blocks.
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

  /// An iterator that returns the results one by one.
  public struct Iterator: AsyncIteratorProtocol {
    var blocks: Blocks.AsyncIterator
    let processor: StreamProcessor
    var rules: AudioStreamRules
    /// The results that were not requested yet, in reverse order.
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

/// Processes the blocks of one stream one by one.
///
/// - Thread safety: callable concurrently.
final class StreamProcessor: Sendable {
  private struct State {
    var pool: PipelinePool<AudioClassifierPipeline>?
    let windows: StreamWindows
  }

  let format: AudioModelFormat
  /// The queue for blocks that are processed without blocking the caller's thread.
  let queue = WorkQueue("swiftlet.audioClassifier.blocks")
  private let runner: TaskRunner<AudioClassifierPipeline>
  private let state: Mutex<State>

  init(_ runner: TaskRunner<AudioClassifierPipeline>, _ format: AudioModelFormat) {
    (self.runner, self.format) = (runner, format)
    state = Mutex(State(windows: StreamWindows(format)))
  }

  /// Returns the results of the windows that a block completes, or the error of the block.
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

  /// Returns the results of the windows that a block completes, without blocking the caller's thread; `nil` if the
  /// caller is cancelled.
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

/// The window state of one stream: the remaining samples of its last block, and the time of its next window.
///
/// - Thread safety: one caller at a time.
final class StreamWindows {
  private let windows: WindowMaker
  private var time: Duration?

  init(_ format: AudioModelFormat) { windows = WindowMaker(format) }

  /// Processes the block that follows the last one.
  ///
  /// - Parameters:
  ///   - time: The time of the block. Only the time of the first block is used; later times follow from the sample
  ///     count.
  ///   - body: Receives each full window, and its start time.
  /// - Throws: `TaskError` if the block has a format that the model doesn't support.
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

/// The rules for the blocks of a stream: increasing times, and the sample rate of the first block.
struct AudioStreamRules: Sendable {
  private let format: AudioModelFormat
  private var clock = FrameClock()
  private var sampleRate: Double?

  init(_ format: AudioModelFormat) { self.format = format }

  /// Accepts a block.
  ///
  /// - Throws: `TaskError` for a block that violates the rules. The stream is then unchanged.
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
