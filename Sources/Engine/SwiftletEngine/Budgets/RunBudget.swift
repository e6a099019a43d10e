import SwiftletBase

/// What a load or a run may still take: work by the operators' own estimates, time until a deadline, and whether the
/// task that waits for it is cancelled.
///
/// Work is counted in nominal nanoseconds of one thread, so that a model is refused on every machine or on none.
///
/// - Thread safety: used by the thread that loads or runs.
final class RunBudget {
  /// Counts one kind of work.
  struct Kind {
    fileprivate let what: String
    fileprivate let limitName: String

    /// What a load computes.
    static let load = Kind(what: "loading", limitName: "loadWork")
    /// What one run computes.
    static let run = Kind(what: "a run", limitName: "runWork")
  }

  private let kind: Kind
  private let limit: Double
  // One thread at a time uses it, and to watch that takes as long as the rest of a look.
  @exclusivity(unchecked) private var spent = 0.0
  @exclusivity(unchecked) private var deadline: Deadline?
  @exclusivity(unchecked) private var context: CallContext?

  init(_ kind: Kind, limit: Duration, deadline: Deadline? = nil) {
    self.kind = kind
    self.limit = Self.nanoseconds(limit)
    context = .current
    self.deadline = .earliest(deadline, context?.deadline)
  }

  /// What a load with these options may take from now on.
  static func load(_ options: RuntimeOptions) -> RunBudget {
    RunBudget(.load, limit: options.limits.loadWork, deadline: options.timeout.map(Deadline.init(after:)))
  }

  /// Starts again.
  func begin(deadline: Deadline?) {
    spent = 0
    self.deadline = deadline
    guard CallContext.isUsed || context != nil else { return }
    context = .current
    self.deadline = .earliest(deadline, context?.deadline)
  }

  /// Counts work that is about to be done.
  ///
  /// - Throws: `limitExceeded` at `location` when there is more than the limit allows.
  func spend(_ nanoseconds: Double, at location: @autoclosure () -> RuntimeError.Location?) throws(RuntimeError) {
    spent += nanoseconds
    // Work that is not a number is not within the limit either.
    if spent <= limit { return }
    throw Self.exceeded(kind, spent, limit, at: location())
  }

  /// Counts work if there is room for it, and returns whether there is.
  func spendIfPossible(_ nanoseconds: Double) -> Bool {
    guard spent + nanoseconds <= limit else { return false }
    spent += nanoseconds
    return true
  }

  /// - Throws: `deadlineExceeded` after the deadline, and `cancelled` if the task that called is cancelled.
  func check() throws(RuntimeError) {
    if Task.isCancelled || context?.isCancelled ?? false {
      throw RuntimeError(.cancelled, CallEnded.cancelled.description)
    }
    if let deadline, deadline.isOver {
      throw RuntimeError(
        .deadlineExceeded,
        "\(kind.what) did not end before its deadline; give it more time, or a smaller model or input")
    }
  }

  /// What it takes to compile so many nodes, in nanoseconds. Planning memory takes the square of their number.
  static func compilingWork(nodes count: Int) -> Double { 20_000 * Double(count) + Double(count) * Double(count) }

  /// What it takes to copy so many bytes, in nanoseconds: over the border of a subgraph, or out of strings.
  static func copyingWork(bytes count: Int) -> Double { 0.5 * Double(count) }

  static func nanoseconds(_ duration: Duration) -> Double { duration / .nanoseconds(1) }

  static func exceeded(_ kind: Kind, _ work: Double, _ limit: Double, at location: RuntimeError.Location?)
    -> RuntimeError
  {
    // Also for work that is not a number.
    let seconds = work < 1e24 ? work / 1e9 : 1e15
    return RuntimeError(
      .limitExceeded,
      "\(kind.what) would take about \(Int(seconds) + 1) seconds of one thread or more, above the limit of \(limit / 1e9); raise RuntimeOptions.limits.\(kind.limitName) if this is intended",
      location: location)
  }
}

/// Gives a session its memory: everything that a file or a run decides the size of comes from here.
final class SessionMemory: Sendable {
  let budget: MemoryBudget

  init(_ budget: MemoryBudget) { self.budget = budget }

  /// `count` zero bytes, which count against the session's limit as long as the block lives.
  ///
  /// - Parameter purpose: What they are for, a plural, in a message.
  /// - Throws: `limitExceeded` if they are above the limit, or the system does not have them.
  func allocate(
    _ count: Int, for purpose: String, at location: RuntimeError.Location? = nil
  ) throws(RuntimeError) -> AlignedBytes {
    let charge = try charge(count, for: purpose, at: location)
    let block = try AlignedBytes.available(count, for: purpose, at: location)
    block.companion = charge
    return block
  }

  /// Counts bytes that are kept elsewhere, as long as the result lives.
  ///
  /// - Throws: as `allocate`.
  func charge(_ count: Int, for purpose: String, at location: RuntimeError.Location? = nil) throws(RuntimeError)
    -> MemoryCharge
  {
    try MemoryCharge(budget, count, for: purpose, at: location)
  }
}
