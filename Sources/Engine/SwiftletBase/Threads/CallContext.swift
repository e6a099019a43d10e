/// The deadline of a call, and the cancellation of the task that awaits the call.
///
/// The thread that works on a call carries its context, so that all work of the call ends by the same deadline: model
/// runs, and loops outside the engine (`StepCounter`). A nested context ends no later than the context around it.
///
/// - Thread safety: callable concurrently.
package final class CallContext: Sendable {
  @TaskLocal private static var carried: CallContext?
  /// The number of contexts that are carried now. Looking up the task-local context takes as long as a run of a small
  /// model, so it is skipped if the number is 0.
  private static let uses = Atomic<Int>(0)

  /// The context of the call that the current thread works on, if any.
  package static var current: CallContext? { isUsed ? carried : nil }

  /// Whether any thread carries a context.
  package static var isUsed: Bool { uses.load(ordering: .relaxed) > 0 }

  /// The deadline of the call and of the calls around it.
  package let deadline: Deadline?
  private let outer: CallContext?
  private let flag = Atomic<Bool>(false)
  private let ask: (@Sendable () -> Bool)?

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - timeout: The maximum duration of the call from now on; `nil` for no limit.
  ///   - ask: Returns whether the call is cancelled. Called between work items on the threads that work on the call.
  package init(timeout: Duration? = nil, asking ask: (@Sendable () -> Bool)? = nil) {
    outer = .current
    deadline = .earliest(timeout.map(Deadline.init(after:)), outer?.deadline)
    self.ask = ask
  }

  package var isCancelled: Bool {
    flag.load(ordering: .relaxed) || ask?() ?? false || outer?.isCancelled ?? false
  }

  /// Cancels the current and all future work in this context.
  package func cancel() { flag.store(true, ordering: .relaxed) }

  /// Runs `body`, and all its work on this thread, in this context.
  package func carry<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    Self.uses.add(1, ordering: .relaxed)
    defer { Self.uses.subtract(1, ordering: .relaxed) }
    return try Self.$carried.withValue(self) { Swift.Result { () throws(Failure) in try body() } }.get()
  }

  /// Runs `body` with its own timeout, if it has one.
  package static func within<Result, Failure: Error>(
    _ timeout: Duration?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let timeout else { return try body() }
    return try CallContext(timeout: timeout).carry(body)
  }

  /// Checks the deadline and the cancellation.
  ///
  /// - Throws: `CallEnded` after the deadline, or if the calling task is cancelled.
  package func check() throws(CallEnded) {
    if isCancelled { throw .cancelled }
    if deadline?.isOver ?? false { throw .deadlineExceeded }
  }
}

/// The reason for ending a call before its work was done.
package enum CallEnded: Error, Sendable, Hashable, CustomStringConvertible {
  case deadlineExceeded
  case cancelled

  package var description: String {
    switch self {
    case .deadlineExceeded:
      "the call did not end before its deadline; allow more time, or use a smaller model or input"
    case .cancelled: "the task that waits for the result was cancelled"
    }
  }
}

extension CallContext {
  /// Returns the value of `work`, which `schedule` runs on a thread that may block. Work that checks its call context
  /// stops soon after the caller is cancelled.
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

/// The latest time for work to end.
///
/// It is stored as the time since a fixed instant, not as the clock's instant type, because copying an optional instant
/// takes a noticeable share of a small model's run.
package struct Deadline: Sendable {
  private static let origin = ContinuousClock.now
  /// The maximum time from the fixed instant, a century. Larger values are clamped, because sums of arbitrary times
  /// could overflow.
  private static let farthest = Duration.seconds(3_155_760_000)
  private let time: Duration

  package init(_ instant: ContinuousClock.Instant) {
    if instant > Self.origin + Self.farthest {
      time = Self.farthest
    } else if instant < Self.origin - Self.farthest {
      time = .zero - Self.farthest
    } else {
      time = instant - Self.origin
    }
  }

  package init(after duration: Duration) {
    time = ContinuousClock.now - Self.origin + min(max(duration, .zero - Self.farthest), Self.farthest)
  }

  package var isOver: Bool { ContinuousClock.now - Self.origin >= time }

  /// Returns the earlier of two deadlines, or the only one that isn't `nil`.
  package static func earliest(_ first: Deadline?, _ second: Deadline?) -> Deadline? {
    guard let first, let second else { return first ?? second }
    return first.time <= second.time ? first : second
  }
}

/// A counter of loop steps that checks the deadline of the call at a fixed step interval.
///
/// Every loop whose length depends on a file, a model, or a caller uses a step counter, unless the loop is known to end
/// within some milliseconds.
///
/// - Thread safety: one loop at a time.
package struct StepCounter: Sendable {
  private let context: CallContext?
  private let interval: Int
  private var left: Int

  /// Creates a counter for a loop in the call that the current thread works on.
  ///
  /// - Parameter interval: The number of steps between two checks, which should take ten microseconds or more.
  package init(every interval: Int = 4096) {
    context = .current
    self.interval = interval
    left = interval
  }

  /// Counts steps that are about to run.
  ///
  /// - Throws: `CallEnded` after the deadline of the call, or if the calling task is cancelled.
  package mutating func count(_ steps: Int = 1) throws(CallEnded) {
    left -= steps
    if left <= 0 { try look() }
  }

  /// Checks the deadline now.
  ///
  /// - Throws: `CallEnded`, as `count` does.
  package mutating func look() throws(CallEnded) {
    left = interval
    if Task.isCancelled { throw .cancelled }
    try context?.check()
  }
}
