import SwiftletBase

/// The remaining budget of a load or a run: work by the operators' estimates, the time until a deadline, and the
/// cancellation of the task that awaits it.
///
/// Work is counted in nominal nanoseconds of one thread, so that a model is rejected on every machine or on none.
///
/// - Thread safety: used by the thread that loads or runs.
final class RunBudget {
  /// A kind of work.
  struct Kind {
    fileprivate let what: String
    fileprivate let limitName: String

    /// The work of a load.
    static let load = Kind(what: "loading", limitName: "loadWork")
    /// The work of a run.
    static let run = Kind(what: "a run", limitName: "runWork")
  }

  private let kind: Kind
  private let limit: Double
  // Only one thread uses the budget at a time, and the exclusivity check would take as long as the rest of a deadline
  // check.
  @exclusivity(unchecked) private var spent = 0.0
  @exclusivity(unchecked) private var deadline: Deadline?
  @exclusivity(unchecked) private var context: CallContext?

  init(_ kind: Kind, limit: Duration, deadline: Deadline? = nil) {
    self.kind = kind
    self.limit = Self.nanoseconds(limit)
    context = .current
    self.deadline = .earliest(deadline, context?.deadline)
  }

  /// Returns the budget of a load with these options, starting now.
  static func load(_ options: RuntimeOptions) -> RunBudget {
    RunBudget(.load, limit: options.limits.loadWork, deadline: options.timeout.map(Deadline.init(after:)))
  }

  /// Starts a new period with a deadline.
  func begin(deadline: Deadline?) {
    spent = 0
    self.deadline = deadline
    guard CallContext.isUsed || context != nil else { return }
    context = .current
    self.deadline = .earliest(deadline, context?.deadline)
  }

  /// Counts work that is about to be done.
  ///
  /// - Throws: `limitExceeded` at `location` if the work exceeds the limit.
  func spend(_ nanoseconds: Double, at location: @autoclosure () -> RuntimeError.Location?) throws(RuntimeError) {
    spent += nanoseconds
    // NaN work exceeds the limit too.
    if spent <= limit { return }
    throw Self.exceeded(kind, spent, limit, at: location())
  }

  /// Counts work if it fits the limit, and returns whether it does.
  func spendIfPossible(_ nanoseconds: Double) -> Bool {
    guard spent + nanoseconds <= limit else { return false }
    spent += nanoseconds
    return true
  }

  /// Checks the deadline and the cancellation.
  ///
  /// - Throws: `deadlineExceeded` after the deadline, and `cancelled` if the calling task is cancelled.
  func check() throws(RuntimeError) {
    if Task.isCancelled || context?.isCancelled ?? false {
      throw RuntimeError(.cancelled, CallEnded.cancelled.description)
    }
    if let deadline, deadline.isOver {
      throw RuntimeError(
        .deadlineExceeded,
        "\(kind.what) did not end before its deadline; allow more time, or use a smaller model or input")
    }
  }

  /// Returns the work of compiling `count` nodes, in nanoseconds. Memory planning is quadratic in the number of nodes.
  static func compilingWork(nodes count: Int) -> Double { 20_000 * Double(count) + Double(count) * Double(count) }

  /// Returns the work of copying `count` bytes across a subgraph boundary or out of strings, in nanoseconds.
  static func copyingWork(bytes count: Int) -> Double { 0.5 * Double(count) }

  static func nanoseconds(_ duration: Duration) -> Double { duration / .nanoseconds(1) }

  static func exceeded(_ kind: Kind, _ work: Double, _ limit: Double, at location: RuntimeError.Location?)
    -> RuntimeError
  {
    // Also correct for NaN work.
    let seconds = work < 1e24 ? work / 1e9 : 1e15
    return RuntimeError(
      .limitExceeded,
      "\(kind.what) would take about \(Int(seconds) + 1) seconds of one thread or more, above the limit of \(limit / 1e9); raise RuntimeOptions.limits.\(kind.limitName) if this is intended",
      location: location)
  }
}

/// The memory allocator of a session. All memory whose size depends on a file or a run is allocated here.
final class SessionMemory: Sendable {
  let budget: MemoryBudget

  init(_ budget: MemoryBudget) { self.budget = budget }

  /// Allocates `count` zero bytes, which count against the session's limit until the block is released.
  ///
  /// - Parameter purpose: The purpose of the memory, a plural noun for messages.
  /// - Throws: `limitExceeded` if the bytes exceed the limit, or if the system doesn't have them.
  func allocate(
    _ count: Int, for purpose: String, at location: RuntimeError.Location? = nil
  ) throws(RuntimeError) -> AlignedBytes {
    let charge = try charge(count, for: purpose, at: location)
    let block = try AlignedBytes.available(count, for: purpose, at: location)
    block.companion = charge
    return block
  }

  /// Counts bytes that are stored elsewhere, until the result is released.
  ///
  /// - Throws: `limitExceeded`, as `allocate` does.
  func charge(_ count: Int, for purpose: String, at location: RuntimeError.Location? = nil) throws(RuntimeError)
    -> MemoryCharge
  {
    try MemoryCharge(budget, count, for: purpose, at: location)
  }
}
