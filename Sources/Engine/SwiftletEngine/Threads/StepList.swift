/// The steps of a program in a form that runs without reference counting. Threads that count the same references wait
/// for each other's caches.
struct StepList: ~Copyable {
  final class Step: Sendable {
    let run: PreparedOperator.Tile
    let runAlone: PreparedOperator.Tile
    let tileCountAlone: Int
    let node: Int

    init(_ step: ProgramStep) {
      run = step.stage.run
      runAlone = step.alone.run
      tileCountAlone = step.alone.tileCount
      node = step.node
    }
  }

  /// The approximate work between two deadline checks in nanoseconds, so that checks don't slow down short runs.
  private static let workBetweenChecks = 50_000.0

  let count: Int
  private let steps: UnsafeMutablePointer<Unmanaged<Step>>
  /// Whether to check before each step, and between its tiles, if the run must stop.
  private let checkpoints: UnsafeMutablePointer<Bool>

  init(_ program: [ProgramStep]) {
    count = program.count
    steps = .allocate(capacity: max(1, count))
    checkpoints = .allocate(capacity: max(1, count))
    var unchecked = 0.0
    for (index, step) in program.enumerated() {
      unchecked += step.work
      let isCheckpoint = unchecked >= Self.workBetweenChecks
      if isCheckpoint { unchecked = 0 }
      (checkpoints + index).initialize(to: isCheckpoint)
      (steps + index).initialize(to: .passRetained(Step(step)))
    }
  }

  deinit {
    for index in 0..<count { steps[index].release() }
    steps.deallocate()
    checkpoints.deallocate()
  }

  /// Returns whether to check before a tile of a step if the run must stop.
  @inline(__always)
  func isCheckpoint(_ step: Int) -> Bool { checkpoints[step] }

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

  /// Runs some steps in order, in the tiles for a single thread.
  ///
  /// - Parameter check: Called occasionally. Throws an error to stop the run.
  @inline(__always)
  func run(_ range: Range<Int>, _ context: RunContext, _ profile: RunProfile?, check: () throws -> Void) throws {
    for index in range {
      guard !checkpoints[index] else {
        try runChecking(index, context, profile, check: check)
        continue
      }
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

  /// Runs one step, with a check before each tile.
  @inline(never)
  private func runChecking(_ index: Int, _ context: RunContext, _ profile: RunProfile?, check: () throws -> Void) throws
  {
    try steps[index]._withUnsafeGuaranteedRef { step in
      let start = ContinuousClock.now
      for tile in 0..<step.tileCountAlone {
        try check()
        try step.runAlone(context, tile)
      }
      profile?.add(ContinuousClock.now - start, to: step.node)
    }
  }
}

/// One stage of one node of a program.
struct ProgramStep: Sendable {
  var stage: PreparedOperator.Stage
  /// The stage with the tiles for a single thread.
  var alone: PreparedOperator.Stage
  /// The earlier steps that must finish first.
  var dependencies: [Int]
  /// The index of the node in the program.
  var node: Int
  /// The estimated single-thread time in nanoseconds.
  var work: Double
}
