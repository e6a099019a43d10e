/// What workers share out, in the order of the program: steps in tiles, and chains of small steps.
///
/// Steps of one tile that need the step before them would wander from worker to worker, each waiting for the other and
/// finding what it reads in the other's cache. They become one phase of one tile.
struct PhasePlan {
  struct Phase: Equatable {
    var steps: Range<Int>
    var tileCount: Int
    /// Earlier phases that must be finished first.
    var dependencies: [Int]
  }

  private(set) var phases: [Phase] = []

  /// - Parameter steps: the number of tiles of each step and the steps it waits for, those that others imply left out.
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
