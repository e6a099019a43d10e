import SwiftletBase

/// Gives a session its memory: everything that a file or a run decides the size of comes from here.
final class SessionMemory: Sendable {
  let budget: MemoryBudget

  init(_ budget: MemoryBudget) { self.budget = budget }

  /// `count` zero bytes, which count against the session's limit as long as the block lives.
  ///
  /// - Parameter purpose: what they are for, a plural, in a message.
  /// - Throws: `limitExceeded` when they are above the limit, or the system does not have them.
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
