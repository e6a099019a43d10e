import SwiftletEngine

extension PreparedOperator.Stage {
  /// The longest that a tile should take: a run looks at its deadline between tiles.
  static let longestTileNanoseconds = 10_000_000.0
  /// Stages of one node; each takes some memory and time of its own.
  private static let mostStages = 4096

  /// Stages over `count` items that have to be taken in order because each builds on what the ones in front left in
  /// memory: a single stage where they take no longer than a tile should, otherwise as many as that takes, one behind
  /// the other.
  ///
  /// - Parameters:
  ///   - lanes: how often the items are gone through, independently of each other: by columns, for example.
  ///   - cost: the work of one item in one lane in nanoseconds, roughly.
  ///   - run: takes the lane and the next items of it.
  static func inOrder(
    lanes: Int = 1, items count: Int, cost: Double,
    run: @escaping @Sendable (_ context: RunContext, _ lane: Int, _ items: Range<Int>) throws -> Void
  ) -> [PreparedOperator.Stage] {
    guard count > 0, lanes > 0 else { return [] }
    let work = cost * Double(count)
    let parts = min(count, mostStages, max(1, Int(min(work / longestTileNanoseconds, 1e9))))
    return (0..<parts).map { part in
      let items = Self.part(part, of: count, parts: parts)
      return PreparedOperator.Stage(tileCount: lanes, work: work * Double(lanes) / Double(parts)) { context, lane in
        try run(context, lane, items)
      }
    }
  }
}

/// The columns of rows that are worked on row after row, cut into parts where rows are so long that one alone would
/// keep a thread.
struct ColumnLanes: Sendable {
  let columns: Int
  /// How many parts there are.
  let count: Int

  /// Columns of a part.
  private static let longest = 1 << 20

  init(columns: Int) {
    self.columns = columns
    count = max(1, (columns + Self.longest - 1) / Self.longest)
  }

  /// The most columns of a part, as a number to work out costs with.
  var width: Double { Double(min(columns, Self.longest)) }

  /// The columns of part `lane`.
  func range(_ lane: Int) -> Range<Int> {
    let start = lane &* Self.longest
    return start..<min(columns, start &+ Self.longest)
  }
}
