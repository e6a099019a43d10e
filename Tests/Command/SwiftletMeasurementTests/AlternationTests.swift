import SwiftletMeasurement
import Testing

@Suite("Alternating runs")
struct AlternationTests {
  /// A contender that reports `time` milliseconds for every run, and records its calls.
  final class Fake: Contender {
    let name: String
    let time: Double
    let log: Log

    init(_ name: String, time: Double, log: Log) {
      self.name = name
      self.time = time
      self.log = log
    }

    func run(warmup: Int, count: Int) -> [Double] {
      log.entries.append((name, warmup, count))
      return [Double](repeating: time, count: count)
    }
  }

  final class Log {
    var entries: [(name: String, warmup: Int, count: Int)] = []
  }

  @Test("contenders alternate in blocks of individual lengths, for at least the requested rounds")
  func takesTurns() throws {
    let log = Log()
    let results = try Alternation(seconds: 0, rounds: 4, blockLength: 20).measure([
      Fake("slow", time: 5, log: log), Fake("fast", time: 1, log: log),
    ])
    // The calls before the rounds determine the duration of a run.
    let rounds = log.entries.suffix(8)
    #expect(rounds.map(\.name) == ["slow", "fast", "slow", "fast", "slow", "fast", "slow", "fast"])
    #expect(rounds.map(\.count) == [4, 20, 4, 20, 4, 20, 4, 20])
    #expect(rounds.allSatisfy { $0.warmup == 1 })
    #expect(results[1].speed(against: results[0]) == 5)
    #expect(results[1].speeds(against: results[0]).values == [5, 5, 5, 5])
    #expect(results.map(\.all.count) == [16, 80])
  }

  @Test("a block of very short runs is bounded, one of very long runs is a single run")
  func boundsBlocks() throws {
    let log = Log()
    _ = try Alternation(seconds: 0, rounds: 1, blockLength: 20, runsPerBlock: 300).measure([
      Fake("tiny", time: 0.001, log: log), Fake("huge", time: 900, log: log),
    ])
    let rounds = log.entries.suffix(2)
    #expect(rounds.map(\.count) == [300, 1])
    #expect(rounds.map(\.warmup) == [1, 0])
  }

  @Test("two equal contenders have equal results")
  func evenContenders() throws {
    let log = Log()
    let results = try Alternation(seconds: 0).measure([Fake("a", time: 3, log: log), Fake("b", time: 3, log: log)])
    #expect(results[0].speed(against: results[1]) == 1)
    #expect(results[0].rounds.count == 7)
  }
}
