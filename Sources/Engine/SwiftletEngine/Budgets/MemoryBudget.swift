package import SwiftletBase

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
  /// - Parameter purpose: What they are for, a plural, in a message.
  /// - Throws: `limitExceeded` if they are too many; then they are not counted.
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
      "\(purpose) take \(count) more bytes, and there are \(byteCount) already: above the limit of \(limit) bytes for a session and its compiled model; raise RuntimeOptions.limits.sessionBytes if this is intended",
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

extension ByteRegion {
  /// Returns a copy with readable bytes behind it, for kernels that read a little further. A constant may end where its
  /// file does.
  ///
  /// - Throws: `limitExceeded` if the system has no memory of that size.
  func followedBySlack() throws(RuntimeError) -> ByteRegion {
    let block = try AlignedBytes.available(count + MemoryPlan.slackBytes, for: "constants")
    block.bytes.copyMemory(from: bytes)
    return ByteRegion(
      owner: block, bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(block.bytes).prefix(count)))
  }
}

extension AlignedBytes {
  /// Stands in for the address of absent tensors.
  static let nowhere = AlignedBytes(zeroed: 64)

  /// `count` zero bytes, for sizes that a model decides.
  ///
  /// - Parameters:
  ///   - purpose: What they are for, in a message.
  ///   - isWritten: Whether all of them are written soon.
  /// - Throws: `limitExceeded` if the system has no memory of that size.
  package static func available(
    _ count: Int, for purpose: String, at location: RuntimeError.Location? = nil, isWritten: Bool = true
  ) throws(RuntimeError) -> AlignedBytes {
    guard let block = AlignedBytes(zeroedIfAvailable: count) else {
      throw RuntimeError(
        .limitExceeded, "there is no memory for \(purpose), which take \(count) bytes", location: location)
    }
    if isWritten { block.takePages(count) }
    return block
  }
}

extension RuntimeOptions.Limits {
  /// Checks what a call returns against `resultBytes`.
  ///
  /// - Parameters:
  ///   - count: The number of values of one kind that are about to be made.
  ///   - size: The bytes of each.
  ///   - before: The bytes that count already.
  ///   - purpose: The name of the values, a plural, for the message. Made only for one: an interpolated name allocates.
  ///   - advice: What a caller can do to get fewer of them, such as `set maxResults`.
  /// - Returns: The bytes that count now.
  /// - Throws: `limitExceeded` if they are more than the limit.
  package func checkResults(
    _ count: Int, each size: Int, before: Int, for purpose: @autoclosure () -> String, advice: String? = nil
  ) throws(RuntimeError) -> Int {
    let (bytes, isTooMany) = count.multipliedReportingOverflow(by: size)
    let (sum, isTooLarge) = before.addingReportingOverflow(bytes)
    if !isTooMany, !isTooLarge, sum <= resultBytes { return sum }
    let size = isTooMany || isTooLarge ? "more than \(Int.max)" : "\(sum)"
    throw RuntimeError(
      .limitExceeded,
      "\(purpose()) bring the results of a call, with what is kept for it, to \(size) bytes, which exceeds the limit of \(resultBytes) bytes; \(advice.map { $0 + ", or " } ?? "")raise RuntimeOptions.limits.resultBytes if this is intended"
    )
  }
}
