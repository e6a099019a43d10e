import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs a program's tiles on several threads with one `concurrentPerform` per run.
///
/// Workers claim tiles in order through one counter, wait until the steps a tile depends on are finished, run it, and count it off. A waiting
/// worker waits only for tiles claimed before its own, so whoever holds the earliest unfinished tile can always go on: the
/// team makes progress with any number of workers, even when only the caller's thread ever arrives.
///
/// Unchecked `Sendable` because `remaining` is a fixed array of atomics and everything else is immutable.
final class ThreadTeam: @unchecked Sendable {
  private let program: Program
  let workerCount: Int
  /// `ends[step]` is the number of tiles in steps up to and including it.
  private let ends: [Int]
  private let next = Atomic<Int>(0)
  private let remaining: UnsafeMutablePointer<Atomic<Int>>

  init(program: Program, threads: Int) {
    self.program = program
    var total = 0
    ends = program.steps.map {
      total += $0.stage.tileCount
      return total
    }
    let isWorthSharing = program.steps.contains { $0.stage.tileCount > 1 }
    workerCount = isWorthSharing ? max(1, threads) : 1
    remaining = .allocate(capacity: max(1, program.steps.count))
    for step in 0..<program.steps.count { (remaining + step).initialize(to: Atomic(0)) }
  }

  deinit {
    remaining.deinitialize(count: program.steps.count)
    remaining.deallocate()
  }

  /// - Parameter contexts: one per worker.
  /// - Throws: the first error a tile threw; the tiles behind it are skipped.
  func run(_ contexts: [RunContext], profile: RunProfile?) throws {
    guard workerCount > 1 else { return try runAlone(contexts[0], profile: profile) }
    next.store(0, ordering: .relaxed)
    for (index, step) in program.steps.enumerated() {
      remaining[index].store(step.stage.tileCount, ordering: .relaxed)
    }
    let failure = Mutex<(any Error)?>(nil)
    let hasFailed = Atomic<Bool>(false)
    DispatchQueue.concurrentPerform(iterations: workerCount) { worker in
      work(contexts[worker], profile: profile, failure: failure, hasFailed: hasFailed)
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  private func runAlone(_ context: RunContext, profile: RunProfile?) throws {
    for step in program.steps {
      let start = profile == nil ? nil : ContinuousClock.now
      for tile in 0..<step.stage.tileCount { try step.stage.run(context, tile) }
      if let start, let profile { profile.add(ContinuousClock.now - start, to: step.node) }
    }
  }

  private func work(
    _ context: RunContext, profile: RunProfile?, failure: borrowing Mutex<(any Error)?>,
    hasFailed: borrowing Atomic<Bool>
  ) {
    var step = 0
    let total = ends.last ?? 0
    while true {
      let ticket = next.add(1, ordering: .relaxed).oldValue
      guard ticket < total else { return }
      while ticket >= ends[step] { step &+= 1 }
      for dependency in program.steps[step].dependencies { wait(for: dependency) }
      if !hasFailed.load(ordering: .relaxed) {
        let stage = program.steps[step].stage
        do {
          let start = profile == nil ? nil : ContinuousClock.now
          try stage.run(context, ticket &- (ends[step] &- stage.tileCount))
          if let start, let profile { profile.add(ContinuousClock.now - start, to: program.steps[step].node) }
        } catch {
          failure.withLock { $0 = $0 ?? error }
          hasFailed.store(true, ordering: .relaxed)
        }
      }
      remaining[step].subtract(1, ordering: .acquiringAndReleasing)
    }
  }

  /// Spins briefly, as most waits are shorter than a system call, then gives the processor away.
  private func wait(for step: Int) {
    var spins = 0
    while remaining[step].load(ordering: .acquiring) > 0 {
      spins &+= 1
      if spins > 2000 { sched_yield() }
    }
  }
}
