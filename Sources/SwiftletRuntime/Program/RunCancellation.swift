import Synchronization

/// Carries a task's cancellation to runs on threads that the task does not own.
package final class RunCancellation: Sendable {
  /// What runs on this thread end with.
  @TaskLocal package static var current: RunCancellation?

  private let flag = Atomic<Bool>(false)

  package init() {}

  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Ends the runs that are under way and those to come.
  package func cancel() { flag.store(true, ordering: .relaxed) }
}
