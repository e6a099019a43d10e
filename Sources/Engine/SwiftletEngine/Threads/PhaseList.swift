/// The phases of a plan in plain memory, for workers to walk along without counting references.
struct PhaseList: ~Copyable {
  struct Phase {
    var steps: Range<Int>
    var tileCount: Int
    fileprivate var dependencies: Range<Int>
  }

  let count: Int
  private let phases: UnsafeMutablePointer<Phase>
  private let dependencies: UnsafeMutablePointer<Int>
  /// The phases that no other waits for.
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

  /// Calls `body` with the phases that one waits for.
  @inline(__always)
  func forEachDependency(of phase: Phase, _ body: (Int) -> Void) {
    for index in phase.dependencies { body(dependencies[index]) }
  }

  /// Calls `body` with the phases after which everything is finished.
  func forEachLast(_ body: (Int) -> Void) {
    for index in 0..<lastCount { body(last[index]) }
  }
}
