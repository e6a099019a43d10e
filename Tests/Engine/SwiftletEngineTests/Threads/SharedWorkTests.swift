import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

@Suite("Parts of workers")
struct TilePartsTests {
  @Test(
    "are contiguous, and later ones are shorter",
    arguments: [
      (8, 2, [0, 4, 8]), (7, 2, [0, 4, 7]), (2, 3, [0, 1, 2, 2]), (1, 2, [0, 1, 1]), (0, 2, [0, 0, 0]),
      (10, 4, [0, 3, 5, 8, 10]),
    ] as [(Int, Int, [Int])])
  func starts(tiles: Int, workers: Int, expected: [Int]) {
    #expect((0...workers).map { TileParts.start($0, of: workers, tileCount: tiles) } == expected)
  }

  @Test("a worker leaves the last tile to a present worker, and takes all tiles of an absent one")
  func takesFromOthers() {
    let counters = TileCounters(tileCounts: [3, 9], workers: 3)
    counters.reset()
    var tiles: [Int] = []
    // The parts of phase 1 are 0..<3, 3..<6, 6..<9.
    counters.takeTiles(of: 1, worker: 1) { tiles.append($0) }
    #expect(tiles == [3, 4, 5, 8, 7, 6, 2, 1, 0])
    let finished = [counters.isFinished(0), counters.isFinished(1)]
    #expect(finished == [false, true])
  }
}

@Suite("Lists of phases and steps")
struct PhaseListTests {
  @Test("phases have their steps, tiles, and dependencies, and phases without dependents come last")
  func phases() {
    let plan = PhasePlan([
      (tileCount: 4, dependencies: []), (tileCount: 1, dependencies: [0]), (tileCount: 1, dependencies: [1]),
      (tileCount: 3, dependencies: [0]), (tileCount: 2, dependencies: [3, 2]), (tileCount: 1, dependencies: []),
    ])
    #expect(
      plan.phases == [
        .init(steps: 0..<1, tileCount: 4, dependencies: []), .init(steps: 1..<3, tileCount: 1, dependencies: [0]),
        .init(steps: 3..<4, tileCount: 3, dependencies: [0]), .init(steps: 4..<5, tileCount: 2, dependencies: [2, 1]),
        .init(steps: 5..<6, tileCount: 1, dependencies: []),
      ])
    let list = PhaseList(plan)
    var last: [Int] = [], steps: [Range<Int>] = [], tiles: [Int] = [], dependencies: [[Int]] = []
    for index in 0..<list.count {
      let phase = list[index]
      steps.append(phase.steps)
      tiles.append(phase.tileCount)
      dependencies.append([])
      list.forEachDependency(of: phase) { dependencies[index].append($0) }
    }
    list.forEachLast { last.append($0) }
    #expect(steps == [0..<1, 1..<3, 3..<4, 4..<5, 5..<6] && tiles == [4, 1, 3, 2, 1])
    #expect(dependencies == [[], [0], [0], [2, 1], []] && last == [3, 4])
    let empty = PhaseList(PhasePlan([]))
    let count = empty.count
    empty.forEachLast { _ in Issue.record("there is no phase") }
    #expect(count == 0)
  }

  private func step(
    _ work: Double, node: Int = 0, alone: Int = 1, _ note: @escaping @Sendable (String) -> Void = { _ in }
  )
    -> ProgramStep
  {
    ProgramStep(
      stage: PreparedOperator.Stage(tileCount: 2) { _, tile in note("\(node).\(tile)") },
      alone: PreparedOperator.Stage(tileCount: alone) { _, tile in note("\(node)-\(tile)") }, dependencies: [],
      node: node, work: work)
  }

  @Test("a run checks for a stop request after every 50 microseconds of work")
  func checkpoints() {
    let list = StepList([49_999, 1, 49_999, 2, 50_000, 0, 100_000].map { step($0) })
    var found: [Bool] = []
    for index in 0..<list.count { found.append(list.isCheckpoint(index)) }
    #expect(found == [false, true, false, true, true, false, true])
  }

  @Test("steps run in order and in the tiles of one thread, with checks in between if they are long")
  func running() throws {
    let notes = Mutex<[String]>([])
    let note: @Sendable (String) -> Void = { text in notes.withLock { $0.append(text) } }
    let list = StepList([
      step(10, node: 0, alone: 2, note), step(60_000, node: 1, alone: 2, note), step(10, node: 2, alone: 1, note),
    ])
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    let table = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: 1)
    table.initialize(to: memory)
    defer {
      table.deallocate()
      memory.deallocate()
    }
    let context = RunContext(pointers: table, workerScratch: memory)
    let profile = RunProfile(nodeCount: 3)
    try list.run(0..<3, context, profile, check: { note("look") })
    try list.run(2, tile: 1, context, profile)
    try list.run(1..<2, context, nil, check: { note("look") })
    let found = notes.withLock { $0 }
    #expect(
      found == ["0-0", "0-1", "look", "1-0", "look", "1-1", "2-0", "2.1", "look", "1-0", "look", "1-1"])
    let totals = profile.totals
    #expect(totals.count == 3 && totals.allSatisfy { $0 > .zero })
  }

  @Test("times of a profile are added up by node")
  func profile() {
    let profile = RunProfile(nodeCount: 2)
    profile.add(.nanoseconds(5), to: 1)
    profile.add(.seconds(2) + .nanoseconds(7), to: 1)
    profile.add(.microseconds(3), to: 0)
    profile.add(.zero - .seconds(1), to: 0)
    #expect(profile.totals == [.microseconds(3), .seconds(2) + .nanoseconds(12)])
  }
}

@Suite("Teams of threads")
struct ThreadTeamTests {
  private func step(_ tiles: Int, dependencies: [Int] = [], run: @escaping PreparedOperator.Tile = { _, _ in })
    -> ProgramStep
  {
    let stage = PreparedOperator.Stage(tileCount: tiles, run: run)
    return ProgramStep(stage: stage, alone: stage, dependencies: dependencies, node: 0, work: 100_000)
  }

  @Test(
    "have at most as many workers as threads, tiles of the widest phase, and 256",
    arguments: [
      (1, [8], 1), (4, [8, 2], 4), (4, [2, 3], 3), (4, [1], 1), (4, [], 1), (0, [8], 1), (1000, [2000], 256),
    ] as [(Int, [Int], Int)])
  func workers(threads: Int, tiles: [Int], workers: Int) {
    #expect(ThreadTeam(program: tiles.map { step($0) }, threads: threads).workerCount == workers)
  }

  private func run(_ team: ThreadTeam, _ budget: RunBudget = RunBudget(.run, limit: .seconds(1))) throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    let table = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: 1)
    table.initialize(to: memory)
    let contexts = UnsafeMutablePointer<RunContext>.allocate(capacity: team.workerCount)
    contexts.initialize(repeating: RunContext(pointers: table, workerScratch: memory), count: team.workerCount)
    defer {
      contexts.deallocate()
      table.deallocate()
      memory.deallocate()
    }
    try team.run(contexts, profile: nil, budget: budget)
  }

  @Test("run every tile once, and after the steps that it depends on", arguments: [1, 2, 3])
  func order(threads: Int) throws {
    let notes = Mutex<[[Int]]>([])
    let steps = ([(5, []), (7, [0]), (1, [1]), (1, [2]), (4, [3])] as [(Int, [Int])]).enumerated().map { index, step in
      self.step(step.0, dependencies: step.1) { _, tile in notes.withLock { $0.append([index, tile]) } }
    }
    let team = ThreadTeam(program: steps, threads: threads)
    for _ in 0..<20 {
      notes.withLock { $0 = [] }
      try run(team)
      let found = notes.withLock { $0 }
      #expect(found.map { $0[0] } == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 4, 4, 4])
      #expect(Set(found).count == 18)
    }
  }

  private struct Broken: Error, Equatable { var tile: Int }

  @Test("end with the error of a tile, skip the steps that depend on it, and can run again", arguments: [1, 2])
  func errors(threads: Int) throws {
    let state = Mutex((isBroken: true, last: 0))
    let team = ThreadTeam(
      program: [
        step(4) { _, tile in if tile == 1, state.withLock({ $0.isBroken }) { throw Broken(tile: tile) } },
        step(4, dependencies: [0]) { _, _ in state.withLock { $0.last += 1 } },
      ], threads: threads)
    for _ in 0..<3 { #expect(throws: Broken(tile: 1)) { try run(team) } }
    let skipped = state.withLock { $0.last }
    #expect(skipped == 0)
    state.withLock { $0.isBroken = false }
    try run(team)
    let done = state.withLock { $0.last }
    #expect(done == 4)
  }

  /// Runs on the caller's thread: helpers could take all tiles before the caller checks.
  @Test("end at the deadline before the first tile")
  func deadlines() {
    let count = Mutex(0)
    let team = ThreadTeam(program: [step(8) { _, _ in count.withLock { $0 += 1 } }], threads: 1)
    let error = #expect(throws: RuntimeError.self) {
      try run(team, RunBudget(.run, limit: .seconds(1), deadline: Deadline(after: .zero - .seconds(1))))
    }
    #expect(error?.code == .deadlineExceeded)
    let tiles = count.withLock { $0 }
    #expect(tiles == 0)
  }
}
