import SwiftletEngine

/// A priority queue over scores in memory given by the caller: the highest score comes first, of equal scores the
/// lowest index.
///
/// Selections rarely need all candidates in order, and a heap gives them one by one without sorting the rest or
/// allocating.
struct ScoreHeap {
  struct Entry: BitwiseCopyable, Sendable {
    var score: Float
    var index: Int32

    @inline(__always)
    func precedes(_ other: Entry) -> Bool {
      score > other.score || (score == other.score && index < other.index)
    }
  }

  /// What filling and emptying a heap of so many entries takes, in nanoseconds, roughly.
  static func work(entries: Int) -> Double {
    Double(entries) * (10 + 6 * Double(Int.bitWidth - entries.leadingZeroBitCount))
  }

  private let entries: UnsafeMutablePointer<Entry>
  private(set) var count = 0

  /// - Parameter memory: room for as many entries as are ever in the heap at once.
  init(_ memory: UnsafeMutablePointer<Entry>) { entries = memory }

  /// Adds an entry without restoring the order; call `order()` after the last one.
  @inline(__always)
  mutating func append(_ entry: Entry) {
    entries[count] = entry
    count &+= 1
  }

  mutating func order() {
    var position = count / 2
    while position > 0 {
      position &-= 1
      sink(position)
    }
  }

  /// Takes out the first entry.
  mutating func pop() -> Entry? {
    guard count > 0 else { return nil }
    let first = entries[0]
    count &-= 1
    entries[0] = entries[count]
    sink(0)
    return first
  }

  mutating func push(_ entry: Entry) {
    var position = count
    count &+= 1
    while position > 0 {
      let parent = (position &- 1) / 2
      guard entry.precedes(entries[parent]) else { break }
      entries[position] = entries[parent]
      position = parent
    }
    entries[position] = entry
  }

  private func sink(_ start: Int) {
    guard start < count else { return }
    let entry = entries[start]
    var position = start
    while true {
      var child = 2 &* position &+ 1
      guard child < count else { break }
      if child &+ 1 < count, entries[child &+ 1].precedes(entries[child]) { child &+= 1 }
      guard entries[child].precedes(entry) else { break }
      entries[position] = entries[child]
      position = child
    }
    entries[position] = entry
  }
}
