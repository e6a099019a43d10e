import SwiftletBase

/// The highest of many scores, ranked in memory that is reused from run to run.
///
/// Equal scores are ordered by index, so the result is deterministic.
package struct ScoreRanking {
  package struct Entry: Hashable {
    package var index: Int
    package var score: Float

    package init(index: Int, score: Float) {
      self.index = index
      self.score = score
    }

    /// Returns whether this entry ranks before `other`.
    func precedes(_ other: Entry) -> Bool {
      score > other.score || score == other.score && index < other.index
    }
  }

  /// The entries kept so far: a heap with the lowest-ranked entry on top until they are sorted.
  package private(set) var entries: [Entry] = []
  private let limit: Int

  /// Creates an empty ranking.
  ///
  /// - Parameter limit: The number of best entries to keep; `nil` for all.
  package init(limit: Int?) { self.limit = limit ?? .max }

  /// Removes all entries, but keeps the allocated memory.
  package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  /// Inserts an entry.
  ///
  /// - Parameter entry: The entry. Its score must not be NaN, which cannot be ranked.
  package mutating func insert(_ entry: Entry) {
    if entries.count < limit {
      entries.append(entry)
      liftLast()
    } else if let worst = entries.first, entry.precedes(worst) {
      entries[0] = entry
      sinkFirst(of: entries.count)
    }
  }

  /// Sorts the entries, best first. For short lists. Nothing may be inserted after that.
  package mutating func sort() { sort {} }

  /// Sorts the entries, best first, and checks the deadline meanwhile. For long lists. Nothing may be inserted after
  /// that.
  ///
  /// - Throws: `TaskError` after the deadline of the call. The order of the entries is then undefined.
  package mutating func sortInTime() throws(TaskError) {
    var steps = StepCounter(every: 256)
    try sort { () throws(TaskError) in try steps.step() }
  }

  /// Sorts the heap in place.
  ///
  /// - Parameter step: Is called before each entry is put in its place.
  private mutating func sort<Failure: Error>(_ step: () throws(Failure) -> Void) throws(Failure) {
    var count = entries.count
    while count > 1 {
      try step()
      count -= 1
      entries.swapAt(0, count)
      sinkFirst(of: count)
    }
  }

  private mutating func liftLast() {
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[parent].precedes(entries[child]) else { return }
      entries.swapAt(parent, child)
      child = parent
    }
  }

  private mutating func sinkFirst(of count: Int) {
    var parent = 0
    while true {
      var worst = parent
      for child in 2 * parent + 1...2 * parent + 2 where child < count && entries[worst].precedes(entries[child]) {
        worst = child
      }
      guard worst != parent else { return }
      entries.swapAt(parent, worst)
      parent = worst
    }
  }
}
