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
