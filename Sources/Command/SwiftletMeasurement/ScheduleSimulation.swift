package import SwiftletEngine

/// A simulation of the duration of a run with more workers than the machine has, from the times of all tiles on one
/// thread.
///
/// The simulated workers follow the rules of `ThreadTeam`. Each worker goes through the phases in order, waits for the
/// dependencies of a phase, and runs the tiles of its own part. Then it takes tiles of other workers from the end of
/// their parts, but not the last tile of a worker that is running its part. It takes tiles of a worker that has not
/// reached its part only after a short wait. All workers are present from the beginning. Shared resources (memory,
/// caches, heat) cost nothing here, so the result is an upper bound of the speedup.
package struct ScheduleSimulation {
  /// The time from the end of a worker's last tile of a phase until another worker notices it, in nanoseconds.
  private let handover: Double
  /// The time that a worker leaves the tiles of another worker that has not reached them, in nanoseconds.
  private let patience: Double
  private let phases: [PhaseTimes]

  package init(_ phases: [PhaseTimes], handover: Double, patience: Double = 2000) {
    self.phases = phases
    self.handover = handover
    self.patience = patience
  }

  private struct Worker {
    var time = 0.0
    var phase = 0
    /// Whether the dependencies of the phase are finished.
    var hasBegun = false
    /// The time at which it found tiles that their worker has not reached.
    var foundAt: Double?
    var isWaiting = false

    mutating func wait(until next: Double) {
      time = max(time, next)
      isWaiting = true
    }
  }

  /// The tiles of a worker's part of one phase that have not been taken.
  private struct Part {
    var next: Int
    var end: Int
    var isUntouched = true
    var isDeserted = false
    var left: Int { end - next }
  }

  /// Returns the time of one run, in nanoseconds.
  package func duration(workers count: Int) -> Double {
    guard !phases.isEmpty else { return 0 }
    var workers = [Worker](repeating: Worker(), count: count)
    var parts = phases.map { phase in
      (0..<count).map { worker in
        Part(
          next: TileParts.start(worker, of: count, tileCount: phase.tiles.count),
          end: TileParts.start(worker + 1, of: count, tileCount: phase.tiles.count))
      }
    }
    /// The end of the last tile that each worker has taken, per phase.
    var ends = phases.map { _ in [Double](repeating: 0, count: count) }
    var untaken = phases.map(\.tiles.count)
    func noticed(_ phase: Int, by worker: Int) -> Double {
      ends[phase].enumerated().map { $1 + ($0 == worker || $1 == 0 ? 0 : handover) }.max() ?? 0
    }
    // Advance the worker that is furthest behind: no other worker can change the state that it finds.
    while let index = workers.indices.filter({ workers[$0].phase < phases.count }).min(by: {
      workers[$0].time < workers[$1].time
    }) {
      let phase = workers[index].phase
      if !workers[index].hasBegun {
        guard phases[phase].dependencies.allSatisfy({ untaken[$0] == 0 }) else {
          // The part's own worker takes its last tile.
          workers[index].wait(until: nextStep(workers, without: index) + 1)
          continue
        }
        for dependency in phases[phase].dependencies {
          workers[index].time = max(workers[index].time, noticed(dependency, by: index))
        }
        workers[index].hasBegun = true
        workers[index].isWaiting = false
        continue
      }
      switch step(of: index, at: workers[index], &parts[phase]) {
      case .tile(let tile):
        workers[index].time += phases[phase].tiles[tile]
        workers[index].foundAt = nil
        workers[index].isWaiting = false
        untaken[phase] -= 1
        ends[phase][index] = workers[index].time
      case .look(let found):
        workers[index].foundAt = found
        // Until another worker has made progress, or until the waiting time is over.
        workers[index].wait(until: min(found + patience, nextStep(workers, without: index) + 1))
      case .leave:
        workers[index] = Worker(time: workers[index].time, phase: phase + 1)
      }
    }
    return phases.indices.map { noticed($0, by: 0) }.max() ?? 0
  }

  /// Returns the earliest end among the other workers that are running a tile; if all are waiting, the earliest end of
  /// their waits.
  private func nextStep(_ workers: [Worker], without index: Int) -> Double {
    let others = workers.indices.filter { $0 != index && workers[$0].phase < phases.count }
    let busy = others.filter { !workers[$0].isWaiting }
    return (busy.isEmpty ? others : busy).map { workers[$0].time }.min() ?? .infinity
  }

  private enum Step {
    case tile(Int)
    /// No tile is available yet; the associated value is the time since when.
    case look(Double)
    case leave
  }

  private func step(of index: Int, at worker: Worker, _ parts: inout [Part]) -> Step {
    if parts[index].left > 0 {
      defer { parts[index].next += 1 }
      parts[index].isUntouched = false
      return .tile(parts[index].next)
    }
    for distance in 1..<max(1, parts.count) {
      let other = (index + distance) % parts.count
      guard parts[other].left > 0 else { continue }
      if parts[other].isUntouched, !parts[other].isDeserted {
        let found = worker.foundAt ?? worker.time
        guard worker.time >= found + patience else { return .look(found) }
        parts[other].isDeserted = true
      }
      guard parts[other].isDeserted || parts[other].left > 1 else { continue }
      parts[other].isUntouched = false
      parts[other].end -= 1
      return .tile(parts[other].end)
    }
    return .leave
  }
}
