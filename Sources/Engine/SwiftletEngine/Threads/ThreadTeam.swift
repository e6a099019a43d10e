import Dispatch
import SwiftletBase

/// A team that runs a program's tiles on the caller's thread and on helpers from the system's thread pool.
///
/// Every worker processes the phases in order. It waits until the dependencies of a phase are finished, runs the tiles
/// that no other worker takes, and continues when all tiles are taken. So every taken tile is being run, and a worker
/// that reaches a phase knows that all tiles of the earlier phases are taken. The team makes progress with any number
/// of workers, even if only the caller's thread arrives. The caller never waits for a helper that hasn't started.
///
/// Helpers stay for some microseconds after a run, in case another one follows immediately, and then return to the
/// pool.
///
/// Unchecked `Sendable` because the run's parameters change only while no worker is in `entrance`, and everything else
/// is immutable or atomic.
final class ThreadTeam: @unchecked Sendable {
  let workerCount: Int
  private let steps: StepList
  private let phases: PhaseList
  private let counters: TileCounters
  private let entrance = RunGate()
  /// For each worker except the caller, whether it is in the team or has been requested.
  private let helpers: UnsafeMutablePointer<Atomic<Bool>>
  /// For each worker, whether it is in the open run.
  private let isInside: UnsafeMutablePointer<Atomic<Bool>>

  private var pace = AdaptiveThreading()

  // The parameters of the open run.
  private var contexts: UnsafePointer<RunContext>?
  private var profile: RunProfile?
  private let failure = Mutex<(any Error)?>(nil)
  private let hasFailed = Atomic<Bool>(false)
  /// The number of helpers that have entered the open run.
  private let arrivals = Atomic<Int>(0)

  /// The number of times that a helper polls for another run before it leaves, about 50 microseconds.
  private static let patience = 1200

  /// The maximum number of threads.
  private static let maximumWorkers = 256

  init(program: [ProgramStep], threads: Int) {
    steps = StepList(program)
    let plan = PhasePlan(program.map { ($0.stage.tileCount, $0.dependencies) })
    phases = PhaseList(plan)
    let widest = plan.phases.map(\.tileCount).max() ?? 1
    workerCount = max(1, min(threads, widest, Self.maximumWorkers))
    counters = TileCounters(tileCounts: plan.phases.map(\.tileCount), workers: workerCount)
    helpers = .allocate(capacity: workerCount)
    isInside = .allocate(capacity: workerCount)
    for worker in 0..<workerCount {
      (helpers + worker).initialize(to: Atomic(false))
      (isInside + worker).initialize(to: Atomic(worker == 0))
    }
  }

  deinit {
    helpers.deinitialize(count: workerCount)
    helpers.deallocate()
    isInside.deinitialize(count: workerCount)
    isInside.deallocate()
  }

  /// Runs a program's tiles.
  ///
  /// - Parameter contexts: One context per worker, valid until the end of the run.
  /// - Throws: The first error of a tile or of the budget's check. The remaining tiles are skipped.
  func run(_ contexts: UnsafePointer<RunContext>, profile: RunProfile?, budget: RunBudget) throws {
    guard workerCount > 1 else {
      return try steps.run(0..<steps.count, contexts[0], profile, check: { try budget.check() })
    }
    guard profile == nil else { return try share(contexts, profile: profile, budget: budget) }
    let start = ContinuousClock.now
    if pace.sharesNext {
      try share(contexts, profile: nil, budget: budget)
    } else {
      try steps.run(0..<steps.count, contexts[0], nil, check: { try budget.check() })
    }
    pace.note(
      nanoseconds: (ContinuousClock.now - start) / .nanoseconds(1),
      isAttended: 2 * arrivals.load(ordering: .relaxed) >= workerCount - 1)
  }

  /// Runs all tiles on the caller's thread, in the tiles for the team.
  ///
  /// - Returns: The time of each tile by phase.
  func runTimed(_ context: RunContext, budget: RunBudget) throws -> [PhaseTimes] {
    try (0..<phases.count).map { index in
      let phase = phases[index]
      var dependencies: [Int] = []
      phases.forEachDependency(of: phase) { dependencies.append($0) }
      let tiles = try (0..<phase.tileCount).map { tile in
        let start = ContinuousClock.now
        if phase.tileCount == 1 {
          try steps.run(phase.steps, context, nil, check: { try budget.check() })
        } else {
          try budget.check()
          try steps.run(phase.steps.lowerBound, tile: tile, context, nil)
        }
        return (ContinuousClock.now - start) / .nanoseconds(1)
      }
      return PhaseTimes(tiles: tiles, dependencies: dependencies)
    }
  }

  private func share(_ contexts: UnsafePointer<RunContext>, profile: RunProfile?, budget: RunBudget) throws {
    counters.reset()
    self.contexts = contexts
    self.profile = profile
    hasFailed.store(false, ordering: .relaxed)
    arrivals.store(0, ordering: .relaxed)
    entrance.openNext()
    for worker in 1..<workerCount { callHelper(worker) }
    work(0, budget)
    phases.forEachLast { wait(for: $0, budget) }
    entrance.close()
    spin(budget) { entrance.isEmpty }
    self.profile = nil
    guard hasFailed.load(ordering: .relaxed) else { return }
    let error = failure.withLock { error in
      defer { error = nil }
      return error
    }
    if let error { throw error }
  }

  /// Requests a thread for a worker, unless it already has one.
  private func callHelper(_ worker: Int) {
    guard !helpers[worker].exchange(true, ordering: .acquiringAndReleasing) else { return }
    DispatchQueue.global(qos: .userInitiated).async { self.help(worker) }
  }

  /// Takes part in runs until no run has been open for a while.
  private func help(_ worker: Int) {
    var last = 0
    var looks = 0
    while looks < Self.patience {
      if let run = entrance.enter(after: last) {
        isInside[worker].store(true, ordering: .relaxed)
        arrivals.add(1, ordering: .relaxed)
        work(worker)
        isInside[worker].store(false, ordering: .relaxed)
        entrance.leave()
        last = run
        looks = 0
      }
      looks &+= 1
      spinWait()
    }
    helpers[worker].store(false, ordering: .releasing)
  }

  /// The error that ends a helper's part of a run that has failed on another thread.
  private struct Stopped: Error {}

  /// Does a worker's share of a run.
  ///
  /// - Parameter budget: The run's budget, for the caller's thread, the only one that may check it. Helpers stop when
  ///   the caller has found that the run must stop.
  private func work(_ worker: Int, _ budget: RunBudget? = nil) {
    guard let context = contexts?[worker] else { return }
    let check = { [self] in
      if let budget { return try budget.check() }
      if hasFailed.load(ordering: .relaxed) { throw Stopped() }
    }
    for index in 0..<phases.count {
      let phase = phases[index]
      phases.forEachDependency(of: phase) { wait(for: $0, budget) }
      counters.takeTiles(of: index, worker: worker, isPresent: { isInside[$0].load(ordering: .relaxed) }) { tile in
        guard !hasFailed.load(ordering: .relaxed) else { return }
        do {
          if phase.tileCount == 1 {
            try steps.run(phase.steps, context, profile, check: check)
          } else {
            if let budget, steps.isCheckpoint(phase.steps.lowerBound) { try budget.check() }
            try steps.run(phase.steps.lowerBound, tile: tile, context, profile)
          }
        } catch {
          fail(error)
        }
      }
    }
  }

  /// Ends the run with an error, unless it has already ended with another one.
  private func fail(_ error: any Error) {
    failure.withLock { $0 = $0 ?? error }
    hasFailed.store(true, ordering: .relaxed)
  }

  private func wait(for phase: Int, _ budget: RunBudget?) { spin(budget) { counters.isFinished(phase) } }

  /// Spins briefly, because most waits are shorter than a system call, and then yields the CPU.
  ///
  /// - Parameter budget: The budget to check while the CPU is yielded, so that helpers learn that the run must stop.
  @inline(__always)
  private func spin(_ budget: RunBudget?, until condition: () -> Bool) {
    var spins = 0
    while !condition() {
      spins &+= 1
      guard spins > 64 else {
        spinWait()
        continue
      }
      sched_yield()
      guard let budget, spins.isMultiple(of: 64) else { continue }
      do { try budget.check() } catch { fail(error) }
    }
  }
}
