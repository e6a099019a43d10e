import Dispatch
import SwiftletBase

/// A queue that starts work items in order and runs a limited number concurrently.
///
/// Threads of Swift's concurrency pool must not be blocked, so the async forms of all task methods run on this queue.
package final class WorkQueue: Sendable {
  private struct Work: Sendable {
    var quality: DispatchQoS
    var run: @Sendable () -> Void
  }

  private struct State {
    var runningCount = 0
    /// The waiting work items, from index `first` on.
    var waiting: [Work] = []
    var first = 0

    mutating func next() -> Work? {
      guard first < waiting.count else {
        waiting.removeAll(keepingCapacity: true)
        first = 0
        return nil
      }
      defer { first += 1 }
      return waiting[first]
    }
  }

  private let width: Int
  private let queue: DispatchQueue
  private let state = Mutex(State())

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - label: The label of the queue's threads in debuggers.
  ///   - width: The maximum number of work items that run concurrently, at least 1.
  package init(_ label: String, width: Int = 1) {
    self.width = width
    queue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent)
  }

  /// Enqueues a work item and returns immediately.
  package func schedule(_ priority: TaskPriority = .userInitiated, _ work: @escaping @Sendable () -> Void) {
    let work = Work(quality: priority.quality, run: work)
    let starts = state.withLock { state in
      guard state.runningCount < width else {
        state.waiting.append(work)
        return false
      }
      state.runningCount += 1
      return true
    }
    if starts { start(work) }
  }

  private func start(_ work: Work) {
    queue.async(qos: work.quality) { [self] in
      work.run()
      let next = state.withLock { state in
        let next = state.next()
        if next == nil { state.runningCount -= 1 }
        return next
      }
      if let next { start(next) }
    }
  }

  /// Runs `work` and returns its value. If the caller is cancelled, a model that `work` runs stops soon after.
  ///
  /// - Throws: The error of `work`, or `CancellationError` if the caller is cancelled before the work is done.
  package func value<Value: Sendable>(
    priority: TaskPriority = .userInitiated, of work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await CallContext.value(of: work) { schedule(priority, $0) }
  }
}

extension TaskPriority {
  /// The Dispatch quality of service that corresponds to the priority.
  fileprivate var quality: DispatchQoS {
    switch self {
    case ...TaskPriority.background: .background
    case ...TaskPriority.utility: .utility
    case ..<TaskPriority.userInitiated: .default
    default: .userInitiated
    }
  }
}
