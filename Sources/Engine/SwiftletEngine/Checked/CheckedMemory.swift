import SwiftletBase

/// The memory of one session, or of one fold, in checked mode. Every block has dedicated pages between protected pages.
///
/// Tensors and scratch memory of programs are closed until a step or a caller needs them. Memory that other code
/// allocates meanwhile (variables, loop values, subgraph results) is open to that code, and closed while steps run.
///
/// Unchecked `Sendable` because the object belongs to one session.
final class CheckedMemory: PageSource, @unchecked Sendable {
  private struct Entry {
    weak var pages: GuardedPages?
  }

  /// The number that selects sides, patterns, and orders; see `RuntimeOptions.checkedTurn`.
  let turn: Int
  private var count = 0
  /// The blocks by address of the first byte.
  private var entries: [UnsafeMutableRawPointer: Entry] = [:]
  private var entryLimit = 256
  /// The blocks without an owner that opens them.
  private var loose: [Entry] = []
  private var opened: [GuardedPages] = []

  /// An address for absent tensors, which can't be read.
  let nowhere: GuardedPages?

  init(turn: Int) {
    self.turn = turn
    nowhere = try? Self.made(0, alignment: 1, number: 0, turn: turn)
  }

  /// Returns a fill pattern that isn't a valid index, image, or probability, and is NaN in every floating-point type.
  private static func pattern(turn: Int) -> UInt8 { turn % 2 == 0 ? 0x7F : 0xFF }

  /// Creates block `number` of a session or compilation, with all access rights. The side alternates between adjacent
  /// blocks, and between consecutive turns of the same block.
  static func made(_ count: Int, alignment: Int, slack: Int = 0, number: Int, turn: Int) throws(RuntimeError)
    -> GuardedPages
  {
    let side: GuardedPages.Side = (number &+ turn) % 2 == 0 ? .end : .start
    guard let pages = GuardedPages(count, alignment: alignment, slack: slack, side: side, pattern: pattern(turn: turn))
    else {
      throw RuntimeError(
        .limitExceeded, "cannot allocate \(count) bytes in separate pages, which checked mode requires")
    }
    return pages
  }

  /// Returns a tensor, which is closed.
  func tensor(_ count: Int, alignment: Int, slack: Int = 0) throws(RuntimeError) -> GuardedPages {
    let pages = try next(count, alignment: alignment, slack: slack)
    try Self.change(pages, to: .none)
    return pages
  }

  /// Returns scratch memory, which is closed.
  func scratch(_ count: Int) throws(RuntimeError) -> GuardedPages {
    try tensor(count, alignment: CheckedConstants.alignment, slack: MemoryPlan.slackBytes)
  }

  func pages(_ count: Int) -> GuardedPages? {
    guard let pages = try? next(count, alignment: CheckedConstants.alignment, slack: MemoryPlan.slackBytes) else {
      return nil
    }
    loose.append(Entry(pages: pages))
    return pages
  }

  private func next(_ count: Int, alignment: Int, slack: Int) throws(RuntimeError) -> GuardedPages {
    let pages = try Self.made(count, alignment: alignment, slack: slack, number: self.count, turn: turn)
    self.count += 1
    if entries.count >= entryLimit {
      entries = entries.filter { $0.value.pages != nil }
      loose = loose.filter { $0.pages != nil }
      entryLimit = max(256, 2 * entries.count)
    }
    if let start = pages.bytes.baseAddress { entries[start] = Entry(pages: pages) }
    return pages
  }

  /// Returns the block at an address.
  func block(at start: UnsafeMutableRawPointer) -> GuardedPages? { entries[start]?.pages }

  /// Lets the caller of a session access a block until the next steps run.
  func open(_ pages: GuardedPages, forWriting: Bool) {
    guard pages.rights != .readWrite else { return }
    // If the system refuses, the access ends in a signal instead of an error, which is equally safe.
    if pages.allow(forWriting ? .readWrite : .read) { opened.append(pages) }
  }

  /// Removes all access rights before steps run.
  func closeAll() throws(RuntimeError) {
    for pages in opened { try Self.change(pages, to: .none) }
    opened = []
    for case let pages? in loose.map(\.pages) { try Self.change(pages, to: .none) }
  }

  /// Reopens the blocks without an owner after the steps.
  func reopen() {
    for case let pages? in loose.map(\.pages) { _ = pages.allow(.readWrite) }
  }

  static func change(_ pages: GuardedPages, to rights: GuardedPages.Rights) throws(RuntimeError) {
    guard pages.allow(rights) else {
      throw RuntimeError(
        .limitExceeded,
        "the system has no mapping left for the pages that checked mode protects; it takes few tensors at a time")
    }
  }
}
