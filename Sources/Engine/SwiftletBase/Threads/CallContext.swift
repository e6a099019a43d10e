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

/// The latest time at which work may end.
///
/// A time since a fixed one, not the clock's instant: copying an optional instant takes a noticeable part of a small
/// model's run.
package struct Deadline: Sendable {
  private static let origin = ContinuousClock.now
  /// Times further from the fixed one than a century count as a century: sums of arbitrary times would overflow.
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

  /// The earlier of two deadlines, or the one that there is.
  package static func earliest(_ first: Deadline?, _ second: Deadline?) -> Deadline? {
    guard let first, let second else { return first ?? second }
    return first.time <= second.time ? first : second
  }
}

/// Counts the steps of a loop, and looks at the deadline of the call every so many.
///
/// A loop over anything whose size a file, a model, or a caller decides has one, unless it is known to end within some
/// milliseconds.
///
/// - Thread safety: one loop at a time.
package struct StepCounter: Sendable {
  private let context: CallContext?
  private let interval: Int
  private var left: Int

  /// Creates a counter for a loop of the call that this thread works on.
  ///
  /// - Parameter interval: The number of steps that take some ten microseconds or more.
  package init(every interval: Int = 4096) {
    context = .current
    self.interval = interval
    left = interval
  }

  /// Counts steps that are about to be done.
  ///
  /// - Throws: `CallEnded` after the deadline of the call, and if the task that called is cancelled.
  package mutating func count(_ steps: Int = 1) throws(CallEnded) {
    left -= steps
    if left <= 0 { try look() }
  }

  /// Looks at the deadline now.
  ///
  /// - Throws: As `count`.
  package mutating func look() throws(CallEnded) {
    left = interval
    if Task.isCancelled { throw .cancelled }
    try context?.check()
  }
}
