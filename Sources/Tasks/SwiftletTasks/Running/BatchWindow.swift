import SwiftletBase

/// The elements of a batch that are in progress: read, being processed, or finished and not yet requested.
///
/// One reader appends to the end and one consumer removes from the beginning; each waits for the other.
///
/// - Thread safety: callable concurrently.
final class BatchWindow<Value: Sendable>: Sendable {
  private struct State {
    /// The work on each element, in the order of the elements.
    var tasks: [Task<Value, Never>] = []
    /// The number of elements that are being read or whose value was not taken yet.
    var heldCount = 0
    var hasEnded = false
    var failure: (any Error)?
    var isCancelled = false
    /// The reader that waits for room, and the consumer that waits for a value.
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

  /// Creates an empty window.
  ///
  /// - Parameter limit: The maximum number of elements at a time, at least 1.
  init(limit: Int) { self.limit = max(1, limit) }

  // MARK: Reader

  /// Waits until one more element may be read.
  ///
  /// - Returns: Whether the element may be read: `false` once the batch is cancelled.
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

  /// Appends the work on the element that was read.
  func add(_ task: Task<Value, Never>) {
    let (consumer, isCancelled) = state.withLock { state in
      state.tasks.append(task)
      return (state.takeConsumer(), state.isCancelled)
    }
    if isCancelled { task.cancel() }
    consumer?.resume()
  }

  /// Marks the end of the elements.
  ///
  /// - Parameter failure: The error that ended them, or `nil` if all elements were read.
  func end(_ failure: (any Error)?) {
    state.withLock { state in
      state.hasEnded = true
      state.failure = failure
      return state.takeConsumer()
    }?.resume()
  }

  // MARK: Consumer

  /// Returns the next element's value, once it is there, and makes room for another element.
  ///
  /// - Returns: `nil` at the end, and once the batch is cancelled.
  /// - Throws: The error that ended the elements, if any.
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

  /// Ends the batch: no further elements are read, and work in progress is cancelled.
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
