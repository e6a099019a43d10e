import SwiftletBase

/// What is under way of a batch: read, worked on, or done and not asked for yet.
///
/// One reader adds to its end and one consumer takes from its beginning; each waits for the other.
///
/// - Thread safety: callable concurrently.
final class BatchWindow<Value: Sendable>: Sendable {
  private struct State {
    /// In the order of the elements.
    var tasks: [Task<Value, Never>] = []
    /// Elements that are being read, and those whose value was not taken.
    var heldCount = 0
    var hasEnded = false
    var failure: (any Error)?
    var isCancelled = false
    /// Who waits for room, and who for a value.
    var reader: CheckedContinuation<Void, Never>?
    var consumer: CheckedContinuation<Void, Never>?

    mutating func takeConsumer() -> CheckedContinuation<Void, Never>? {
      defer { consumer = nil }
      return consumer
    }

    mutating func takeReader() -> CheckedContinuation<Void, Never>? {
      defer { reader = nil }
      return reader
    }
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: the most elements at a time, 1 or more.
  init(limit: Int) { self.limit = max(1, limit) }

  // MARK: Reader

  /// Waits until one more element may be read.
  ///
  /// - Returns: whether it may be: not once the batch is cancelled.
  func waitForRoom() async -> Bool {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.isCancelled || state.heldCount < limit { return true }
        state.reader = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
    return state.withLock { state in
      state.heldCount += 1
      return !state.isCancelled
    }
  }

  /// Adds the work on the element that was read.
  func add(_ task: Task<Value, Never>) {
    let (consumer, isCancelled) = state.withLock { state in
      state.tasks.append(task)
      return (state.takeConsumer(), state.isCancelled)
    }
    if isCancelled { task.cancel() }
    consumer?.resume()
  }

  /// Says that there are no more elements.
  ///
  /// - Parameter failure: why, unless it is their end.
  func end(_ failure: (any Error)?) {
    state.withLock { state in
      state.hasEnded = true
      state.failure = failure
      return state.takeConsumer()
    }?.resume()
  }

  // MARK: Consumer

  /// Waits for the next element's value, and makes room for another.
  ///
  /// - Returns: `nil` at the end, and once the batch is cancelled.
  /// - Throws: why there are no more elements, unless it is their end.
  func next() async throws -> Value? {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if !state.tasks.isEmpty || state.hasEnded || state.isCancelled { return true }
        state.consumer = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
    let (task, failure) = state.withLock { state in
      if state.isCancelled { return (Task<Value, Never>?.none, (any Error)?.none) }
      return (state.tasks.isEmpty ? nil : state.tasks.removeFirst(), state.failure)
    }
    guard let task else {
      if let failure { throw failure }
      return nil
    }
    let value = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    let (reader, isCancelled) = state.withLock { state in
      state.heldCount -= 1
      return (state.takeReader(), state.isCancelled)
    }
    reader?.resume()
    return isCancelled ? nil : value
  }

  /// Ends the batch: nothing more is read, and what is under way is told to end.
  func cancel() {
    let (tasks, waiting) = state.withLock { state in
      state.isCancelled = true
      defer { state.tasks = [] }
      return (state.tasks, [state.takeReader(), state.takeConsumer()])
    }
    for task in tasks { task.cancel() }
    for continuation in waiting { continuation?.resume() }
  }
}
