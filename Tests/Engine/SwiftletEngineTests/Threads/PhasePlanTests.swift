import Testing

@testable import SwiftletEngine

@Suite("Phases")
struct PhasePlanTests {
  @Test("small steps that depend on the previous one become one phase")
  func joinsChains() {
    let plan = PhasePlan([(4, []), (1, [0]), (1, [1]), (1, [2]), (3, [3]), (1, [4, 0])])
    #expect(plan.phases.map(\.steps) == [0..<1, 1..<4, 4..<5, 5..<6])
    #expect(plan.phases.map(\.tileCount) == [4, 1, 3, 1])
    #expect(plan.phases.map(\.dependencies) == [[], [0], [1], [2, 0]])
  }

  @Test("independent small steps stay separate")
  func keepsBranches() {
    let plan = PhasePlan([(1, []), (1, []), (1, [0]), (1, [1, 2])])
    #expect(plan.phases.map(\.steps) == [0..<1, 1..<2, 2..<4])
    #expect(plan.phases.map(\.dependencies) == [[], [], [0, 1]])
  }

  @Test("a step with tiles is a separate phase")
  func keepsTiledSteps() {
    let plan = PhasePlan([(2, []), (2, [0]), (2, [1])])
    #expect(plan.phases.map(\.steps) == [0..<1, 1..<2, 2..<3])
    #expect(PhasePlan([]).phases.isEmpty)
  }
}

@Suite("Splitting of stages")
struct StageCutTests {
  private func stage(items: Int, cost: Double) -> PreparedOperator.Stage {
    PreparedOperator.Stage(items: items, cost: cost) { _, _ in }
  }

  @Test("one thread gets all items at once, unless it would delay the deadline check")
  func cutsForOne() {
    #expect(stage(items: 50_000, cost: 100).cut(forThreads: 1).tileCount == 1)
    #expect(stage(items: 1_000_000, cost: 100).cut(forThreads: 1).tileCount == 20)
    #expect(stage(items: 2, cost: 1e12).cut(forThreads: 1).tileCount == 2)
  }

  @Test("several threads get a few tiles each, unless the tiles would be too small")
  func cutsForSeveral() {
    #expect(stage(items: 160, cost: 200).cut(forThreads: 2).tileCount == 8)
    #expect(stage(items: 30, cost: 100).cut(forThreads: 2).tileCount == 2)
    #expect(stage(items: 10, cost: 100).cut(forThreads: 2).tileCount == 1)
    #expect(stage(items: 1_000_000, cost: 100).cut(forThreads: 2).tileCount == 5000)
    #expect(stage(items: 0, cost: 100).cut(forThreads: 2).tileCount == 0)
  }

  @Test("every item is in one tile", arguments: [1, 2, 7], [1, 5, 64, 1001])
  func coversItems(threads: Int, items: Int) throws {
    nonisolated(unsafe) var seen: [Int] = []
    let stage = PreparedOperator.Stage(items: items, cost: 777) { _, range in seen += Array(range) }
      .cut(forThreads: threads)
    try withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer.self, capacity: 1) { addresses in
      let start = UnsafeMutableRawBufferPointer(addresses).baseAddress
      let (pointers, scratch) = (try #require(addresses.baseAddress), try #require(start))
      let context = RunContext(pointers: pointers, workerScratch: scratch)
      for tile in 0..<stage.tileCount { try stage.run(context, tile) }
    }
    #expect(seen == Array(0..<items))
  }
}

@Suite("Tile counters")
struct TileCountersTests {
  @Test("every tile is taken once, by alternating workers or by one worker", arguments: [1, 2, 3, 5])
  func givesEveryTileOnce(workers: Int) {
    let counts = [1, 7, 2, 64, 5]
    let counters = TileCounters(tileCounts: counts, workers: workers)
    for _ in 0..<2 {
      counters.reset()
      for (phase, count) in counts.enumerated() {
        var taken: [Int] = []
        let isFinishedBefore = counters.isFinished(phase)
        #expect(!isFinishedBefore)
        counters.takeTiles(of: phase, worker: workers - 1) { taken.append($0) }
        #expect(taken.sorted() == Array(0..<count))
        let isFinished = counters.isFinished(phase)
        #expect(isFinished)
        counters.takeTiles(of: phase, worker: 0) { _ in Issue.record("a tile is given twice") }
      }
    }
  }

  @Test("a worker starts with its own part")
  func beginsWithOwnPart() {
    let counters = TileCounters(tileCounts: [8], workers: 2)
    counters.reset()
    var first: [Int] = []
    counters.takeTiles(of: 0, worker: 1) { first.append($0) }
    #expect(first == [4, 5, 6, 7, 3, 2, 1, 0])
  }
}

@Suite("RunGate")
struct RunGateTests {
  @Test("lets each worker into an open run once")
  func letsInOnce() {
    // The #expect macro copies its operands, which a gate doesn't allow.
    let entrance = RunGate()
    let early = entrance.enter(after: 0)
    #expect(early == nil)
    entrance.openNext()
    let run = entrance.enter(after: 0)
    #expect(run != nil)
    var isEmpty = entrance.isEmpty
    #expect(!isEmpty)
    var again = entrance.enter(after: run ?? 0)
    #expect(again == nil)
    entrance.close()
    again = entrance.enter(after: 0)
    #expect(again == nil)
    entrance.leave()
    isEmpty = entrance.isEmpty
    #expect(isEmpty)
    entrance.openNext()
    again = entrance.enter(after: run ?? 0)
    #expect(again != nil)
    entrance.leave()
  }
}
