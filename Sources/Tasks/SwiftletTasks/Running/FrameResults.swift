import SwiftletBase

/// The outcome of one frame of a live session or stream.
public struct FrameResult<Output: Sendable>: Sendable {
  /// The timestamp of the frame.
  public var time: Duration
  /// The task's output, or the error of this frame; the next frame may succeed.
  public var result: Result<Output, TaskError>

  /// Creates the outcome of a frame.
  public init(time: Duration, result: Result<Output, TaskError>) {
    self.time = time
    self.result = result
  }
}

/// The results of a live session, in the order of its frames.
///
/// The sequence begins with the first frame that finishes after the sequence was created, and ends when the session is
/// released. For a slow consumer, it buffers the newest ``bufferedResultCount`` results and drops older ones. It does
/// not keep the session alive.
///
/// - Thread safety: may be sent anywhere; one consumer. Each access to a session's `results` creates a separate
///   sequence.
public struct FrameResults<Output: Sendable>: AsyncSequence, Sendable {
  /// The outcome of a frame.
  public typealias Element = FrameResult<Output>
  /// The error type of the sequence. Errors are elements: a frame that fails does not end the sequence.
  public typealias Failure = Never

  /// The maximum number of results that are buffered for a slow consumer.
  public static var bufferedResultCount: Int { 4 }

  let stream: AsyncStream<Element>

  /// Creates an iterator over the results from now on.
  public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

  /// An iterator that returns the results one by one.
  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncStream<Element>.Iterator

    /// Returns the next result, or `nil` if the session is released or the consumer is cancelled.
    public mutating func next() async -> Element? { await base.next() }

    /// Returns the next result, or `nil` if the session is released or the consumer is cancelled.
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor)
    }
  }
}

/// The result side of a live session: it admits frames, and delivers the results to their receivers.
///
/// A frame is admitted if no other frame is being processed and at most one result waits behind the result that is
/// being delivered. All other frames are dropped and counted, so neither frames nor results accumulate.
package final class ResultStream<Output: Sendable>: Sendable {
  package typealias Element = FrameResult<Output>
  /// Receives the outcome of a frame.
  package typealias Handler = @Sendable (Element) -> Void

  private struct Consumer {
    var key: Int
    var continuation: AsyncStream<Element>.Continuation
  }

  private struct State {
    var isOpen = true
    var isBusy = false
    /// The number of results that were computed, but whose receivers have not returned.
    var undeliveredCount = 0
    var droppedFrameCount = 0
    var handler: Handler?
    var consumers: [Consumer] = []
    var nextKey = 0
  }

  /// The maximum number of undelivered results: one that is being delivered, and one that waits.
  private static var maxUndelivered: Int { 2 }

  private let state: Mutex<State>

  /// Creates a stream.
  ///
  /// - Parameter handler: Is called with every result, in addition to the sequences of ``results``.
  package init(_ handler: Handler? = nil) { state = Mutex(State(handler: handler)) }

  // MARK: Frames

  package var droppedFrameCount: Int { state.withLock { $0.droppedFrameCount } }

  /// Returns whether to process a new frame. If not, the frame is counted as dropped.
  package func admit() -> Bool {
    state.withLock { state in
      guard !state.isBusy, state.undeliveredCount < Self.maxUndelivered else {
        state.droppedFrameCount += 1
        return false
      }
      state.isBusy = true
      return true
    }
  }

  /// Counts a frame that was dropped without a call of ``admit()``.
  package func countDroppedFrame() { state.withLock { $0.droppedFrameCount += 1 } }

  /// Marks the admitted frame as finished, so that the next one can be admitted.
  package func finishFrame() {
    state.withLock { state in
      state.isBusy = false
      state.undeliveredCount += 1
    }
  }

  // MARK: Results

  /// Delivers a result to all receivers. Must be called for one result at a time, in order.
  package func deliver(_ result: Element) {
    // Receivers may call the session, so they are called without the lock.
    let (handler, consumers) = state.withLock { ($0.handler, $0.consumers) }
    handler?(result)
    for consumer in consumers { consumer.continuation.yield(result) }
    state.withLock { $0.undeliveredCount -= 1 }
  }

  /// A new sequence of the results after this access.
  package var results: FrameResults<Output> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(FrameResults<Output>.bufferedResultCount))
    let key: Int? = state.withLock { state in
      guard state.isOpen else { return nil }
      defer { state.nextKey += 1 }
      state.consumers.append(Consumer(key: state.nextKey, continuation: continuation))
      return state.nextKey
    }
    if let key {
      continuation.onTermination = { [weak self] _ in self?.remove(key) }
    } else {
      continuation.finish()
    }
    return FrameResults(stream: stream)
  }

  private func remove(_ key: Int) {
    let removed = state.withLock { state in
      state.consumers.firstIndex { $0.key == key }.map { state.consumers.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }

  /// Ends all sequences and removes the handler, because the session is being released.
  package func close() {
    let (handler, consumers) = state.withLock { state in
      let receivers = (state.handler, state.consumers)
      state.isOpen = false
      state.handler = nil
      state.consumers = []
      return receivers
    }
    for consumer in consumers { consumer.continuation.finish() }
    withExtendedLifetime(handler) {}
  }
}
