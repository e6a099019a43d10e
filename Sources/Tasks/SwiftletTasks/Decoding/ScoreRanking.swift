import SwiftletBase

/// The best of many scores, found without new memory from run to run.
///
/// Scores that are equal rank in the order of their indices, so that the order is always the same.
package struct ScoreRanking {
  package struct Entry: Hashable {
    package var index: Int
    package var score: Float

    package init(index: Int, score: Float) {
      self.index = index
      self.score = score
    }

    /// Whether this one stands before `other`.
    func precedes(_ other: Entry) -> Bool {
      score > other.score || score == other.score && index < other.index
    }
  }

  /// The entries kept so far: a heap with the worst one on top until they are sorted.
  package private(set) var entries: [Entry] = []
  private let limit: Int

  /// - Parameter limit: how many of the best are kept; `nil` for all.
  package init(limit: Int?) { self.limit = limit ?? .max }

  /// Forgets the scores, but keeps their memory.
  package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  /// - Parameter score: must not be NaN, which cannot be ranked.
  package mutating func insert(_ entry: Entry) {
    if entries.count < limit {
      entries.append(entry)
      liftLast()
    } else if let worst = entries.first, entry.precedes(worst) {
      entries[0] = entry
      sinkFirst(of: entries.count)
    }
  }

  /// Brings entries that are few into order, best first. Nothing may be inserted after that.
  package mutating func sort() { sort {} }

  /// Brings entries that may be many into order, best first. Nothing may be inserted after that.
  ///
  /// - Throws: `TaskError` after the deadline of the call; the entries are in no order then.
  package mutating func sortInTime() throws(TaskError) {
    var steps = StepCounter(every: 256)
    try sort { () throws(TaskError) in try steps.step() }
  }

  /// - Parameter step: Called before each entry is put in its place.
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
