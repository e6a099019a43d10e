import SwiftletTestSupport
import Testing

@testable import SwiftletDiagnosis

@Suite("Alignment of sequences")
struct SequenceAlignmentTests {
  private static func check(
    _ first: [Int], _ second: [Int], _ place: SourceLocation = #_sourceLocation
  ) -> [SequenceAlignment.Pair] {
    let pairs = SequenceAlignment.pairs([first], [second])
    #expect(pairs.allSatisfy { first[$0.first] == second[$0.second] }, sourceLocation: place)
    #expect(
      zip(pairs, pairs.dropFirst()).allSatisfy { $0.first < $1.first && $0.second < $1.second }, sourceLocation: place)
    return pairs
  }

  /// Returns the length of the longest common subsequence, by dynamic programming.
  private static func longest(_ first: [Int], _ second: [Int]) -> Int {
    var row = [Int](repeating: 0, count: second.count + 1)
    for item in first {
      var before = row
      for (place, other) in second.enumerated() {
        before[place + 1] = item == other ? row[place] + 1 : max(before[place], row[place + 1])
      }
      row = before
    }
    return row[second.count]
  }

  @Test("is the longest common subsequence for short sequences")
  func short() {
    var numbers = SplitMix64(state: 7)
    for _ in 0..<400 {
      let kinds = Int.random(in: 1...6, using: &numbers)
      let first = (0..<Int.random(in: 0..<30, using: &numbers)).map { _ in Int.random(in: 0..<kinds, using: &numbers) }
      let second = (0..<Int.random(in: 0..<30, using: &numbers)).map { _ in Int.random(in: 0..<kinds, using: &numbers) }
      #expect(Self.check(first, second).count == Self.longest(first, second), "\(first) \(second)")
    }
  }

  @Test("each level pairs the items between the pairs of the previous one")
  func levels() {
    // On the strict level, only the middle items are equal; on the loose level, all are.
    let pairs = SequenceAlignment.pairs([[1, 2, 3, 4], [0, 0, 0, 0]], [[9, 3, 8], [0, 0, 0]])
    #expect(pairs.map(\.first) == [0, 2, 3] && pairs.map(\.second) == [0, 1, 2])
    #expect(SequenceAlignment.pairs([], []).isEmpty && SequenceAlignment.pairs([[]], [[1]]).isEmpty)
  }

  @Test("terminates for long sequences: periodic, shuffled, reversed, and unlike")
  func long() {
    let count = 10_000
    let periodic = (0..<count).map { $0 % 3 }
    var changed = periodic
    for place in stride(from: count - 1, to: 0, by: -100) { changed.insert(0, at: place) }
    #expect(Self.check(periodic, changed).count == count)
    var numbers = SplitMix64(state: 3)
    let random = (0..<count).map { _ in Int.random(in: 0..<40, using: &numbers) }
    // At least a third must be found if far more items differ than the limit.
    #expect(Self.check(random, (0..<count).map { _ in Int.random(in: 0..<40, using: &numbers) }).count > 500)
    #expect(!Self.check(Array(0..<count), Array((0..<count).reversed())).isEmpty)
    #expect(Self.check(periodic, periodic.map { $0 + 5 }).isEmpty)
    #expect(Self.check(periodic, Array(periodic.dropFirst(6000))).count > 3900)
  }
}
