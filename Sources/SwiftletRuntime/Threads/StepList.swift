/// The steps of a program in a form that runs without counting references: threads that count the same references wait for
/// each other's caches.
struct StepList: ~Copyable {
  final class Step: Sendable {
    let run: PreparedOperator.Tile
    let runAlone: PreparedOperator.Tile
    let tileCountAlone: Int
    let node: Int

    init(_ step: Program.Step) {
      run = step.stage.run
      runAlone = step.alone.run
      tileCountAlone = step.alone.tileCount
      node = step.node
    }
  }

  let count: Int
  private let steps: UnsafeMutablePointer<Unmanaged<Step>>

  init(_ program: Program) {
    count = program.steps.count
    steps = .allocate(capacity: max(1, count))
    for (index, step) in program.steps.enumerated() {
      (steps + index).initialize(to: .passRetained(Step(step)))
    }
  }

  deinit {
    for index in 0..<count { steps[index].release() }
    steps.deallocate()
  }

  /// Runs one tile of a step.
  @inline(__always)
  func run(_ step: Int, tile: Int, _ context: RunContext, _ profile: RunProfile?) throws {
    try steps[step]._withUnsafeGuaranteedRef { step in
      guard let profile else { return try step.run(context, tile) }
      let start = ContinuousClock.now
      try step.run(context, tile)
      profile.add(ContinuousClock.now - start, to: step.node)
    }
  }

  /// Runs some steps, one after the other, in the tiles of one thread alone.
  @inline(__always)
  func run(_ range: Range<Int>, _ context: RunContext, _ profile: RunProfile?) throws {
    for index in range {
      try steps[index]._withUnsafeGuaranteedRef { step in
        let start = profile == nil ? nil : ContinuousClock.now
        var tile = 0
        while tile < step.tileCountAlone {
          try step.runAlone(context, tile)
          tile &+= 1
        }
        if let start, let profile { profile.add(ContinuousClock.now - start, to: step.node) }
      }
    }
  }
}
