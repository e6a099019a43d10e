import SwiftletBase

/// The phases of a plan in plain memory, so that workers can iterate over them without reference counting.
struct PhaseList: ~Copyable {
  struct Phase {
    var steps: Range<Int>
    var tileCount: Int
    fileprivate var dependencies: Range<Int>
  }

  let count: Int
  private let phases: UnsafeMutablePointer<Phase>
  private let dependencies: UnsafeMutablePointer<Int>
  /// The number of phases that no other phase waits for.
  private let lastCount: Int
  private let last: UnsafeMutablePointer<Int>

  init(_ plan: PhasePlan) {
    count = plan.phases.count
    phases = .allocate(capacity: max(1, count))
    let all = plan.phases.flatMap(\.dependencies)
    dependencies = .allocate(capacity: max(1, all.count))
    var position = 0
    for (index, phase) in plan.phases.enumerated() {
      let end = position + phase.dependencies.count
      (phases + index).initialize(
        to: Phase(steps: phase.steps, tileCount: phase.tileCount, dependencies: position..<end))
      for dependency in phase.dependencies {
        (dependencies + position).initialize(to: dependency)
        position += 1
      }
    }
    var isNeeded = [Bool](repeating: false, count: count)
    for dependency in all { isNeeded[dependency] = true }
    let free = plan.phases.indices.filter { !isNeeded[$0] }
    lastCount = free.count
    last = .allocate(capacity: max(1, lastCount))
    for (index, phase) in free.enumerated() { (last + index).initialize(to: phase) }
  }

  deinit {
    phases.deallocate()
    dependencies.deallocate()
    last.deallocate()
  }

  @inline(__always)
  subscript(_ index: Int) -> Phase { phases[index] }

  /// Calls `body` with the dependencies of a phase.
  @inline(__always)
  func forEachDependency(of phase: Phase, _ body: (Int) -> Void) {
    for index in phase.dependencies { body(dependencies[index]) }
  }

  /// Calls `body` with the phases that no other phase waits for. When they are finished, the run is finished.
  func forEachLast(_ body: (Int) -> Void) {
    for index in 0..<lastCount { body(last[index]) }
  }
}

/// The phases that workers share, in program order: steps divided into tiles, and chains of small steps.
///
/// Consecutive dependent steps with one tile each would move from worker to worker. Each worker would wait for the
/// other and read its data from the other's cache. So such steps become one phase with one tile.
struct PhasePlan {
  struct Phase: Equatable {
    var steps: Range<Int>
    var tileCount: Int
    /// The earlier phases that must finish first.
    var dependencies: [Int]
  }

  private(set) var phases: [Phase] = []

  /// Creates a plan.
  ///
  /// - Parameter steps: The number of tiles of each step, and the steps that it waits for, without those implied by
  ///   others.
  init(_ steps: [(tileCount: Int, dependencies: [Int])]) {
    var phaseOfStep: [Int] = []
    for (index, step) in steps.enumerated() {
      let extendsChain =
        step.tileCount == 1 && phases.last?.tileCount == 1 && step.dependencies.contains(index - 1)
      if extendsChain {
        phases[phases.count - 1].steps = phases[phases.count - 1].steps.lowerBound..<index + 1
      } else {
        phases.append(Phase(steps: index..<index + 1, tileCount: step.tileCount, dependencies: []))
      }
      let current = phases.count - 1
      phaseOfStep.append(current)
      for dependency in step.dependencies {
        let phase = phaseOfStep[dependency]
        if phase != current, !phases[current].dependencies.contains(phase) {
          phases[current].dependencies.append(phase)
        }
      }
    }
  }
}

/// The times of one phase of a run on one thread, in the tiles for a team.
package struct PhaseTimes: Sendable, Equatable {
  /// The time per tile in nanoseconds.
  package var tiles: [Double]
  /// The earlier phases that must finish first.
  package var dependencies: [Int]

  package init(tiles: [Double], dependencies: [Int]) {
    self.tiles = tiles
    self.dependencies = dependencies
  }
}

/// The time per node, summed over runs and threads.
final class RunProfile: Sendable {
  private let durations: Mutex<[Duration]>

  init(nodeCount: Int) { durations = Mutex(Array(repeating: .zero, count: nodeCount)) }

  func add(_ duration: Duration, to node: Int) { durations.withLock { $0[node] += max(.zero, duration) } }

  var totals: [Duration] { durations.withLock { $0 } }
}
