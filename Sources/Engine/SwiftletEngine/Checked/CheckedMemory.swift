import SwiftletBase

/// The memory of one session, or of one fold, in checked mode: every block in pages of its own between protected ones.
///
/// Tensors and scratch of programs are closed until a step or a caller needs them. What other code allocates meanwhile
/// (variables, values of loops, results of subgraphs) is open to that code, and closed while steps run.
///
/// Unchecked `Sendable` because it belongs to one session.
final class CheckedMemory: PageSource, @unchecked Sendable {
  private struct Entry {
    weak var pages: GuardedPages?
  }

  /// Chooses sides, patterns and orders; see `RuntimeOptions.checkedTurn`.
  let turn: Int
  private var count = 0
  /// By the address of the first byte.
  private var entries: [UnsafeMutableRawPointer: Entry] = [:]
  private var entryLimit = 256
  /// What has no owner that opens it.
  private var loose: [Entry] = []
  private var opened: [GuardedPages] = []

  /// An address that nothing may be read from, for absent tensors.
  let nowhere: GuardedPages?

  init(turn: Int) {
    self.turn = turn
    nowhere = try? Self.made(0, alignment: 1, number: 0, turn: turn)
  }

  /// Numbers that are no indices, no images and no probabilities: NaN in every floating-point type.
  private static func pattern(turn: Int) -> UInt8 { turn % 2 == 0 ? 0x7F : 0xFF }

  /// Block `number` of a session or compilation, open for everything. Neighbors lie at different sides, and so does
  /// one block in turns that follow each other.
  static func made(_ count: Int, alignment: Int, slack: Int = 0, number: Int, turn: Int) throws(RuntimeError)
    -> GuardedPages
  {
    let side: GuardedPages.Side = (number &+ turn) % 2 == 0 ? .end : .start
    guard let pages = GuardedPages(count, alignment: alignment, slack: slack, side: side, pattern: pattern(turn: turn))
    else {
      throw RuntimeError(
        .limitExceeded, "there is no memory for \(count) bytes in pages of their own, which checked mode takes")
    }
    return pages
  }

  /// Returns a tensor, closed.
  func tensor(_ count: Int, alignment: Int, slack: Int = 0) throws(RuntimeError) -> GuardedPages {
    let pages = try next(count, alignment: alignment, slack: slack)
    try Self.change(pages, to: .none)
    return pages
  }

  /// Scratch memory, closed.
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

  /// Returns the block that begins there.
  func block(at start: UnsafeMutableRawPointer) -> GuardedPages? { entries[start]?.pages }

  /// Lets the caller of a session at a block until the next steps run.
  func open(_ pages: GuardedPages, forWriting: Bool) {
    guard pages.rights != .readWrite else { return }
    // Where the system refuses, the access ends in a signal instead of an error; that is as safe.
    if pages.allow(forWriting ? .readWrite : .read) { opened.append(pages) }
  }

  /// Takes all rights away before steps run.
  func closeAll() throws(RuntimeError) {
    for pages in opened { try Self.change(pages, to: .none) }
    opened = []
    for case let pages? in loose.map(\.pages) { try Self.change(pages, to: .none) }
  }

  /// Opens what has no owner that would do it, when the steps are over.
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
