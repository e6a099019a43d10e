package import SwiftletBase

extension StepCounter {
  /// Counts steps as `count` does.
  ///
  /// - Throws: `TaskError` after the deadline of the call, and if the task that called is cancelled.
  package mutating func step(_ steps: Int = 1) throws(TaskError) {
    do {
      try count(steps)
    } catch {
      throw TaskError(error)
    }
  }
}
