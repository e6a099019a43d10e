package import SwiftletEngine

/// How long a run would take with more workers than a machine has, worked out from what each tile takes on one thread.
///
/// Workers do what `ThreadTeam`'s do: each goes through the phases in order, waits for those that one depends on, does
/// the tiles of its own part, then takes others' from their end, but not the last tile of a worker that is at its part,
/// and only after a moment one of a worker that has not come to it. All of them are there from the beginning. What
/// they share (memory, caches, heat) costs nothing here, so that more than this cannot be had, and less may be.
package struct ScheduleSimulation {
  /// From the end of a worker's last tile of a phase to where another has noticed, in nanoseconds.
  private let handover: Double
  /// How long a worker leaves the tiles of another that has not come to them, in nanoseconds.
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
    /// Whether what the phase waits for is finished.
    var hasBegun = false
    /// When it found tiles that their worker has not come to.
    var foundAt: Double?
    var isWaiting = false

    mutating func wait(until next: Double) {
      time = max(time, next)
      isWaiting = true
    }
  }

  /// The tiles of a worker in one phase that nobody has taken.
  private struct Part {
    var next: Int
    var end: Int
    var isUntouched = true
    var isDeserted = false
    var left: Int { end - next }
  }

  /// The time of one run, in nanoseconds.
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
    /// For every phase and worker when the last tile that it has taken ends.
    var ends = phases.map { _ in [Double](repeating: 0, count: count) }
    var untaken = phases.map(\.tiles.count)
    func noticed(_ phase: Int, by worker: Int) -> Double {
      ends[phase].enumerated().map { $1 + ($0 == worker || $1 == 0 ? 0 : handover) }.max() ?? 0
    }
    // The worker that is furthest behind goes on: what it finds, all others have left so.
    while let index = workers.indices.filter({ workers[$0].phase < phases.count }).min(by: {
      workers[$0].time < workers[$1].time
    }) {
      let phase = workers[index].phase
      if !workers[index].hasBegun {
        guard phases[phase].dependencies.allSatisfy({ untaken[$0] == 0 }) else {
          // A worker that is at it takes the last tile of its part itself.
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
        // Until somebody else has done something, or for as long as it waits.
        workers[index].wait(until: min(found + patience, nextStep(workers, without: index) + 1))
      case .leave:
        workers[index] = Worker(time: workers[index].time, phase: phase + 1)
      }
    }
    return phases.indices.map { noticed($0, by: 0) }.max() ?? 0
  }

  /// When the first of the other workers that are at something ends it; where all wait, when the first has waited.
  private func nextStep(_ workers: [Worker], without index: Int) -> Double {
    let others = workers.indices.filter { $0 != index && workers[$0].phase < phases.count }
    let busy = others.filter { !workers[$0].isWaiting }
    return (busy.isEmpty ? others : busy).map { workers[$0].time }.min() ?? .infinity
  }

  private enum Step {
    case tile(Int)
    /// Nothing yet; with the time since when.
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
