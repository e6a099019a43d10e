import SwiftletBase

/// Lets workers into a run while it is open, and tells the caller when the last one has left.
///
/// One word holds the number of the run, whether it is open, and how many workers are inside.
struct RunGate: ~Copyable {
  private static let open = 1 << 15
  private static let countMask = open - 1
  private static let runUnit = 1 << 16

  private let word = Atomic<Int>(0)

  /// Opens the next run. What was written before is visible to workers that come in.
  func openNext() {
    let last = word.load(ordering: .relaxed) & ~(Self.runUnit - 1)
    word.store((last &+ Self.runUnit) | Self.open, ordering: .releasing)
  }

  /// Lets nobody in any more.
  func close() { word.bitwiseAnd(~Self.open, ordering: .acquiringAndReleasing) }

  /// Whether nobody is inside; what workers did is then visible.
  var isEmpty: Bool { word.load(ordering: .acquiring) & Self.countMask == 0 }

  /// Goes in if a run other than `last` is open.
  ///
  /// - Returns: what to give as `last` next time; `nil` if nothing is open.
  @inline(__always)
  func enter(after last: Int) -> Int? {
    let present = word.load(ordering: .relaxed)
    let run = present & ~(Self.runUnit - 1)
    guard present & Self.open != 0, run != last else { return nil }
    let (exchanged, _) = word.compareExchange(expected: present, desired: present &+ 1, ordering: .acquiring)
    return exchanged ? run : nil
  }

  func leave() { word.subtract(1, ordering: .releasing) }
}
