/// Finds corresponding items of two sequences, in order.
///
/// - Source: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
package enum SequenceAlignment {
  package typealias Pair = (first: Int, second: Int)

  /// The maximum number of differences in a search. Sequences that differ more are split at the point that the search
  /// reached, and the alignment restarts there. This bounds the work: each search advances by at least as many items as
  /// it has differences, so the total is proportional to the number of items and to this limit, whatever the sequences
  /// contain. Longer insertions of items that also occur elsewhere can then be paired with those.
  private static let maximumDifferences = 256

  /// Returns pairs of equal items, with both indices increasing.
  ///
  /// - Parameters:
  ///   - first: A token for each item, by level; equal tokens are equal items. Levels go from strict to loose: each
  ///     level pairs the items between the pairs of the previous level.
  ///   - second: The tokens of the second sequence, on as many levels.
  /// - Complexity: `maximumDifferences` times the length of both sequences, per level.
  static func pairs(_ first: [[Int]], _ second: [[Int]]) -> [Pair] {
    var gaps = [(first: 0..<(first.first?.count ?? 0), second: 0..<(second.first?.count ?? 0))]
    var pairs: [Pair] = []
    for (ours, theirs) in zip(first, second) {
      var rest: [(first: Range<Int>, second: Range<Int>)] = []
      for gap in gaps {
        var (low, otherLow) = (gap.first.lowerBound, gap.second.lowerBound)
        func close(_ high: Int, _ otherHigh: Int) {
          if low < high, otherLow < otherHigh { rest.append((first: low..<high, second: otherLow..<otherHigh)) }
        }
        for pair in matches(ours, gap.first, theirs, gap.second) {
          close(pair.first, pair.second)
          (low, otherLow) = (pair.first + 1, pair.second + 1)
          pairs.append(pair)
        }
        close(gap.first.upperBound, gap.second.upperBound)
      }
      gaps = rest
    }
    return pairs.sorted { $0.first < $1.first }
  }

  private static func matches(
    _ ours: [Int], _ range: Range<Int>, _ theirs: [Int], _ otherRange: Range<Int>
  ) -> [Pair] {
    var (low, high, otherLow, otherHigh) = (
      range.lowerBound, range.upperBound, otherRange.lowerBound, otherRange.upperBound
    )
    var beginning: [Pair] = []
    var end: [Pair] = []
    while low < high, otherLow < otherHigh, ours[low] == theirs[otherLow] {
      beginning.append((first: low, second: otherLow))
      (low, otherLow) = (low + 1, otherLow + 1)
    }
    while low < high, otherLow < otherHigh, ours[high - 1] == theirs[otherHigh - 1] {
      (high, otherHigh) = (high - 1, otherHigh - 1)
      end.append((first: high, second: otherHigh))
    }
    // Items that the other side lacks cannot be part of a pair, and would only make the search longer.
    let (known, otherKnown) = (Set(ours[low..<high]), Set(theirs[otherLow..<otherHigh]))
    let places = (low..<high).filter { otherKnown.contains(ours[$0]) }
    let otherPlaces = (otherLow..<otherHigh).filter { known.contains(theirs[$0]) }
    let middle = common(places.map { ours[$0] }, otherPlaces.map { theirs[$0] })
    return beginning + middle.map { (first: places[$0.first], second: otherPlaces[$0.second]) } + end.reversed()
  }

  /// Returns a long common subsequence; it's the longest if there are few differences.
  private static func common(_ ours: [Int], _ theirs: [Int]) -> [Pair] {
    var pairs: [Pair] = []
    var (start, otherStart) = (0, 0)
    while start < ours.count, otherStart < theirs.count {
      let search = MyersSearch(ours[start...], theirs[otherStart...], maximumDifferences: maximumDifferences)
      pairs += search.pairs.map { (first: $0.first + start, second: $0.second + otherStart) }
      (start, otherStart) = (start + search.end.first, otherStart + search.end.second)
    }
    return pairs
  }
}

/// The common items of two sequences, up to their ends or to the point where the search gave up.
private struct MyersSearch {
  /// Pairs of indices from the beginning of each sequence.
  private(set) var pairs: [SequenceAlignment.Pair] = []
  /// The indices that the search reached in both sequences.
  private(set) var end: SequenceAlignment.Pair = (first: 0, second: 0)

  private let ours: ArraySlice<Int>
  private let theirs: ArraySlice<Int>
  /// The position in `ours` that each diagonal reached, by number of differences, from the lowest diagonal up; -1 for
  /// none.
  private var reached: [[Int]] = []

  init(_ ours: ArraySlice<Int>, _ theirs: ArraySlice<Int>, maximumDifferences: Int) {
    self.ours = ours
    self.theirs = theirs
    var diagonal = 0
    var differences = 0
    search: while true {
      var row = [Int](repeating: -1, count: 2 * differences + 1)
      var furthest = -1
      for k in stride(from: -differences, through: differences, by: 2) {
        guard var x = start(of: k, differences) else { continue }
        while x < ours.count, x - k < theirs.count, ours[ours.startIndex + x] == theirs[theirs.startIndex + x - k] {
          x += 1
        }
        row[k + differences] = x
        if 2 * x - k > furthest { (furthest, diagonal) = (2 * x - k, k) }
        if x == ours.count, x - k == theirs.count { break }
      }
      reached.append(row)
      if furthest == ours.count + theirs.count || differences == maximumDifferences { break search }
      differences += 1
    }
    let x = reached[differences][diagonal + differences]
    end = (first: x, second: x - diagonal)
    trace(from: diagonal, differences)
  }

  private func value(_ k: Int, _ differences: Int) -> Int {
    guard differences >= 0, abs(k) <= differences else { return -1 }
    return reached[differences][k + differences]
  }

  /// Returns the start of a diagonal that takes one more difference than its neighbors, or `nil` if it is outside.
  private func start(of k: Int, _ differences: Int) -> Int? {
    if differences == 0 { return 0 }
    let inserted = value(k + 1, differences - 1)
    let removed = value(k - 1, differences - 1)
    let down = inserted >= 0 && inserted - k <= theirs.count ? inserted : -1
    let right = removed >= 0 && removed < ours.count ? removed + 1 : -1
    let best = max(down, right)
    return best >= 0 ? best : nil
  }

  private mutating func trace(from last: Int, _ most: Int) {
    var k = last
    for differences in stride(from: most, through: 0, by: -1) {
      guard let begin = start(of: k, differences) else { break }
      for x in stride(from: value(k, differences) - 1, through: begin, by: -1) {
        pairs.append((first: x, second: x - k))
      }
      if differences > 0 {
        // The neighbor that the diagonal came from.
        let inserted = value(k + 1, differences - 1)
        k += inserted == begin && inserted - k <= theirs.count ? 1 : -1
      }
    }
    pairs.reverse()
  }
}
