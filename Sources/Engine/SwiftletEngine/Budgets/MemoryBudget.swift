import SwiftletBase

/// Counts memory against `RuntimeOptions.Limits.sessionBytes`: that of a session together with what its compiled model
/// shares with other sessions.
///
/// - Thread safety: callable concurrently.
final class MemoryBudget: Sendable {
  private let limit: Int
  /// The compiled model's, when this is a session's.
  private let shared: MemoryBudget?
  private let own = Mutex(0)

  init(limit: Int, shared: MemoryBudget? = nil) {
    self.limit = limit
    self.shared = shared
  }

  /// Everything that is counted now, what is shared included.
  var byteCount: Int { own.withLock { $0 } + (shared?.byteCount ?? 0) }

  /// Counts `count` more bytes.
  ///
  /// - Parameter purpose: what they are for, a plural, in a message.
  /// - Throws: `limitExceeded` when they are too many; then they are not counted.
  func charge(_ count: Int, for purpose: String, at location: RuntimeError.Location? = nil) throws(RuntimeError) {
    let others = shared?.byteCount ?? 0
    let fits = own.withLock { own in
      let (sum, isTooLarge) = own.addingReportingOverflow(count)
      guard !isTooLarge, others <= limit, sum <= limit - others else { return false }
      own = sum
      return true
    }
    if !fits { throw tooMuch(count, for: purpose, at: location) }
  }

  /// - Throws: as `charge`, without counting anything.
  func check(room count: Int, for purpose: String, at location: RuntimeError.Location? = nil) throws(RuntimeError) {
    let (sum, isTooLarge) = byteCount.addingReportingOverflow(count)
    guard !isTooLarge, sum <= limit else { throw tooMuch(count, for: purpose, at: location) }
  }

  /// No longer counts bytes that were charged.
  func refund(_ count: Int) { own.withLock { $0 -= count } }

  private func tooMuch(_ count: Int, for purpose: String, at location: RuntimeError.Location?) -> RuntimeError {
    RuntimeError(
      .limitExceeded,
      "\(purpose) take \(count) more bytes, and there are \(byteCount) already: above the limit of \(limit) bytes for a session and its compiled model; raise RuntimeOptions.limits.sessionBytes if that is meant",
      location: location)
  }
}

/// Bytes that count as long as this object lives.
package final class MemoryCharge: Sendable {
  private let budget: MemoryBudget
  private let count: Int

  /// - Throws: as `MemoryBudget.charge`.
  init(_ budget: MemoryBudget, _ count: Int, for purpose: String, at location: RuntimeError.Location? = nil)
    throws(RuntimeError)
  {
    try budget.charge(count, for: purpose, at: location)
    self.budget = budget
    self.count = count
  }

  deinit { budget.refund(count) }
}
