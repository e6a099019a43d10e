/// A task's live stream on the side of its results: which frames are taken, and who receives the results.
///
/// A frame is taken when no other one is being worked on and at most one result waits for its receiver behind the one
/// that is being received. All others are dropped and counted, so neither frames nor results pile up.
///
/// Its uses are a task's `liveResults` and `droppedFrameCount`; see `VisionTask` of SwiftletVision.
public final class LiveStream<Output: Sendable>: Sendable {
  package typealias Element = LiveResult<Output>
  /// Receives a frame's result or error and the frame's time.
  package typealias Handler = @Sendable (Swift.Result<Output, TaskError>, _ timestamp: Duration) -> Void

  private struct Consumer {
    var key: Int
    var continuation: AsyncStream<Element>.Continuation
  }

  private struct State {
    var isOpen: Bool
    var isBusy = false
    /// Results that were computed, but whose receivers have not returned.
    var undeliveredCount = 0
    var droppedFrameCount = 0
    var handler: Handler?
    var consumers: [Consumer] = []
    var nextKey = 0
  }

  /// A result that is being received, and one that waits meanwhile.
  private static var mostUndelivered: Int { 2 }

  private let state: Serialized<State>

  /// - Parameter isOpen: false for tasks in other modes, which never have results.
  package init(isOpen: Bool) { state = Serialized(State(isOpen: isOpen)) }

  // MARK: Frames

  package var droppedFrameCount: Int { state.withLock { $0.droppedFrameCount } }

  /// Whether a new frame is to be worked on; otherwise it is counted as dropped.
  package func admit() -> Bool {
    state.withLock { state in
      guard !state.isBusy, state.undeliveredCount < Self.mostUndelivered else {
        state.droppedFrameCount += 1
        return false
      }
      state.isBusy = true
      return true
    }
  }

  /// Counts a frame that was dropped without a call of ``admit()``.
  package func countDroppedFrame() { state.withLock { $0.droppedFrameCount += 1 } }

  /// Notes that the admitted frame has a result, so that the next one can be admitted.
  package func finishFrame() {
    state.withLock { state in
      state.isBusy = false
      state.undeliveredCount += 1
    }
  }

  // MARK: Results

  /// Hands a result to all receivers. Called for one result at a time, in order.
  package func deliver(_ result: Element) {
    // Receivers may call the task, so they are called without the lock.
    let (handler, consumers) = state.withLock { ($0.handler, $0.consumers) }
    handler?(result.result, result.timestamp)
    for consumer in consumers { consumer.continuation.yield(result) }
    state.withLock { $0.undeliveredCount -= 1 }
  }

  package func setHandler(_ handler: Handler?) {
    // The old one is destroyed outside the lock: whatever it holds may call the task while it goes away.
    let old = state.withLock { state in
      let old = state.handler
      state.handler = state.isOpen ? handler : nil
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// A new sequence of the results that follow this call.
  package var results: LiveResults<Output> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(LiveResults<Output>.bufferedResultCount))
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
    return LiveResults(stream: stream)
  }

  private func remove(_ key: Int) {
    let removed = state.withLock { state in
      state.consumers.firstIndex { $0.key == key }.map { state.consumers.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }

  /// Ends all sequences and forgets the handler, as the task is gone.
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
