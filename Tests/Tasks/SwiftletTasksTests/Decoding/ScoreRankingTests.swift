import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Score ranking")
struct ScoreRankingTests {
  private func ranked(_ scores: [Float], limit: Int?) -> [ScoreRanking.Entry] {
    var ranking = ScoreRanking(limit: limit)
    for (index, score) in scores.enumerated() { ranking.insert(.init(index: index, score: score)) }
    ranking.sort()
    return ranking.entries
  }

  @Test("equals sorting all scores, with equal ones in index order")
  func likeSorting() {
    var random = SplitMix64(state: 5)
    for count in [0, 1, 2, 3, 10, 100] {
      let scores = (0..<count).map { _ in Float(Int.random(in: 0..<12, using: &random)) }
      let sorted = scores.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }
      for limit in [nil, 1, 2, 5, 99, 1000] as [Int?] {
        let expected = limit.map { Array(sorted.prefix($0)) } ?? sorted
        #expect(ranked(scores, limit: limit).map(\.index) == expected)
      }
    }
  }

  @Test("restarts after it was emptied")
  func reuse() {
    var ranking = ScoreRanking(limit: 2)
    ranking.insert(.init(index: 0, score: 9))
    ranking.sort()
    ranking.removeAll()
    ranking.insert(.init(index: 4, score: 1))
    ranking.sort()
    #expect(ranking.entries == [.init(index: 4, score: 1)])
  }
}
