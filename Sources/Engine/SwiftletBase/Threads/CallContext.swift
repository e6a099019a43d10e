/// The deadline of a call, and the cancellation of the task that waits for it.
///
/// The thread that works on a call carries its context, so that everything the call does ends by the same deadline: runs
/// of models, and loops outside of the engine (`StepCounter`). A context that is made within another one ends with that
/// one at the latest.
///
/// - Thread safety: callable concurrently.
package final class CallContext: Sendable {
  @TaskLocal private static var carried: CallContext?
  /// The number of contexts that are carried now: looking for one takes as long as a small model's run.
  private static let uses = Atomic<Int>(0)

  /// The context of the call that this thread works on, if any.
  package static var current: CallContext? { isUsed ? carried : nil }

  /// Whether any thread carries a context.
  package static var isUsed: Bool { uses.load(ordering: .relaxed) > 0 }

  /// The end of the call, and of the calls that it is a part of.
  package let deadline: Deadline?
  private let outer: CallContext?
  private let flag = Atomic<Bool>(false)
  private let ask: (@Sendable () -> Bool)?

  /// - Parameters:
  ///   - timeout: The time from now on that the call may take; `nil` for as long as it takes.
  ///   - ask: Says whether the call is cancelled. Called on the threads that work on it, between pieces of work.
  package init(timeout: Duration? = nil, asking ask: (@Sendable () -> Bool)? = nil) {
    outer = .current
    deadline = .earliest(timeout.map(Deadline.init(after:)), outer?.deadline)
    self.ask = ask
  }

  package var isCancelled: Bool {
    flag.load(ordering: .relaxed) || ask?() ?? false || outer?.isCancelled ?? false
  }

  /// Ends the work that is under way and all that is yet to come.
  package func cancel() { flag.store(true, ordering: .relaxed) }

  /// Runs `body`, and all that it does on this thread, in this context.
  package func carry<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    Self.uses.add(1, ordering: .relaxed)
    defer { Self.uses.subtract(1, ordering: .relaxed) }
    return try Self.$carried.withValue(self) { Swift.Result { () throws(Failure) in try body() } }.get()
  }

  /// Runs `body` with a timeout of its own, if there is one.
  package static func within<Result, Failure: Error>(
    _ timeout: Duration?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let timeout else { return try body() }
    return try CallContext(timeout: timeout).carry(body)
  }

  /// - Throws: `CallEnded` after the deadline, and if the task that called is cancelled.
  package func check() throws(CallEnded) {
    if isCancelled { throw .cancelled }
    if deadline?.isOver ?? false { throw .deadlineExceeded }
  }
}

/// The reason why a call ended before its work was done.
package enum CallEnded: Error, Sendable, Hashable, CustomStringConvertible {
  case deadlineExceeded
  case cancelled

  package var description: String {
    switch self {
    case .deadlineExceeded:
      "the call did not end before its deadline; give it more time, or a smaller model or input"
    case .cancelled: "the task that waits for the result was cancelled"
    }
  }
}

extension CallContext {
  /// Returns the value of `work`, which `schedule` hands to a thread that may be blocked. Work that looks at its call's
  /// context stops soon after the caller is cancelled.
  ///
  /// - Throws: The error of `work`, or `CancellationError` if the caller is cancelled before the work is done.
  package static func value<Value: Sendable>(
    of work: @escaping @Sendable () throws -> Value, schedule: (@escaping @Sendable () -> Void) -> Void
  ) async throws -> Value {
    let context = CallContext()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        schedule {
          continuation.resume(
            with: Result {
              if context.isCancelled { throw CancellationError() }
              do {
                return try context.carry(work)
              } catch  where context.isCancelled {
                throw CancellationError()
              }
            })
        }
      }
    } onCancel: {
      context.cancel()
    }
  }
}
