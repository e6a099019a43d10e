package import SwiftletBase

/// A counter of memory against `RuntimeOptions.Limits.sessionBytes`: the memory of a session, plus the memory that its
/// compiled model shares with other sessions.
///
/// - Thread safety: callable concurrently.
final class MemoryBudget: Sendable {
  private let limit: Int
  /// The budget of the compiled model, if this is the budget of a session.
  private let shared: MemoryBudget?
  private let own = Mutex(0)

  init(limit: Int, shared: MemoryBudget? = nil) {
    self.limit = limit
    self.shared = shared
  }

  /// The number of bytes counted now, including shared memory.
  var byteCount: Int { own.withLock { $0 } + (shared?.byteCount ?? 0) }

  /// Counts `count` more bytes.
  ///
  /// - Parameter purpose: The purpose of the memory, a plural noun for messages.
  /// - Throws: `limitExceeded` if the bytes exceed the limit; then they aren't counted.
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

  /// Checks whether `count` more bytes are available.
  ///
  /// - Throws: `limitExceeded` as `charge` does, without counting anything.
  func check(room count: Int, for purpose: String, at location: RuntimeError.Location? = nil) throws(RuntimeError) {
    let (sum, isTooLarge) = byteCount.addingReportingOverflow(count)
    guard !isTooLarge, sum <= limit else { throw tooMuch(count, for: purpose, at: location) }
  }

  /// Subtracts bytes that were charged from the count.
  func refund(_ count: Int) { own.withLock { $0 -= count } }

  private func tooMuch(_ count: Int, for purpose: String, at location: RuntimeError.Location?) -> RuntimeError {
    RuntimeError(
      .limitExceeded,
      "\(purpose) take \(count) more bytes, and there are \(byteCount) already: above the limit of \(limit) bytes for a session and its compiled model; raise RuntimeOptions.limits.sessionBytes if this is intended",
      location: location)
  }
}

/// Bytes that count against a budget until the object is released.
package final class MemoryCharge: Sendable {
  private let budget: MemoryBudget
  private let count: Int

  /// Creates a charge of `count` bytes, which lasts until the object is released.
  ///
  /// - Throws: `limitExceeded`, as `MemoryBudget.charge` does.
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
  /// Returns a copy followed by readable bytes, for kernels that read past the end. A constant may be at the end of its
  /// file.
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
  /// The address used for absent tensors.
  static let nowhere = AlignedBytes(zeroed: 64)

  /// Returns `count` zero bytes, where a model determines the size.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the memory, for messages.
  ///   - isWritten: Whether all bytes are written soon.
  /// - Throws: `limitExceeded` if the system has no memory of that size.
  package static func available(
    _ count: Int, for purpose: String, at location: RuntimeError.Location? = nil, isWritten: Bool = true
  ) throws(RuntimeError) -> AlignedBytes {
    guard let block = AlignedBytes(zeroedIfAvailable: count) else {
      throw RuntimeError(
        .limitExceeded, "cannot allocate \(count) bytes for \(purpose)", location: location)
    }
    if isWritten { block.takePages(count) }
    return block
  }
}

extension RuntimeOptions.Limits {
  /// Checks the size of a call's results against `resultBytes`.
  ///
  /// - Parameters:
  ///   - count: The number of values of one kind to create.
  ///   - size: The size of each value in bytes.
  ///   - before: The number of bytes counted before.
  ///   - purpose: The name of the values, a plural noun for the message. Evaluated only for an error, because string
  ///     interpolation allocates.
  ///   - advice: Advice on how to reduce the number of values, such as `set maxResults`.
  /// - Returns: The number of bytes counted now.
  /// - Throws: `limitExceeded` if the bytes exceed the limit.
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
