import SwiftletSynchronization

/// Carries a task's cancellation to runs on threads that the task does not own.
package final class RunCancellation: Sendable {
  /// What runs on this thread end with.
  @TaskLocal private static var carried: RunCancellation?
  /// How many carry one now: to look for it takes as long as a small model's run.
  private static let uses = Atomic<Int>(0)

  /// What runs on this thread end with; `nil` when nothing is carried here.
  static var current: RunCancellation? { isUsed ? carried : nil }

  /// Whether any is carried on any thread.
  static var isUsed: Bool { uses.load(ordering: .relaxed) > 0 }

  private let flag = Atomic<Bool>(false)

  private let ask: (@Sendable () -> Bool)?

  /// - Parameter ask: asked besides whether runs shall end, on the threads that run, between pieces of work.
  package init(asking ask: (@Sendable () -> Bool)? = nil) { self.ask = ask }

  package var isCancelled: Bool { flag.load(ordering: .relaxed) || ask?() ?? false }

  /// Runs `body`, in which runs on this thread end when this is cancelled.
  package func carry<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.uses.add(1, ordering: .relaxed)
    defer { Self.uses.subtract(1, ordering: .relaxed) }
    return try Self.$carried.withValue(self, operation: body)
  }

  /// Ends the runs that are under way and those to come.
  package func cancel() { flag.store(true, ordering: .relaxed) }
}
