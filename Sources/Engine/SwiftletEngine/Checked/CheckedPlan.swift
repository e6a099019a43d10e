/// What each step of a program may touch, for checked mode.
struct CheckedPlan: Sendable {
  struct Step: Sendable {
    var reads: [TensorSlot]
    var writes: [TensorSlot]
    /// Outputs and scratch whose contents are undefined when the step begins.
    var fresh: [TensorSlot]
    var workerScratchBytes: Int

    /// What the stage says of itself, and where it says nothing what its node's `prepare` has asked for.
    init(_ stage: PreparedOperator.Stage, _ access: NodeAccess, isFirst: Bool) {
      reads = stage.reads ?? access.reads.filter(access.asked.contains)
      writes = stage.writes ?? access.writes.filter { access.asked.contains($0) }
      fresh = isFirst ? access.fresh : []
      workerScratchBytes = access.workerScratchBytes
    }
  }

  private(set) var steps: [Step] = []
  /// Values that the caller writes before a run.
  let inputs: BitSet
  /// Values that are read after the program, by callers or by later programs of the run.
  let kept: BitSet
  /// Slots that kernels read a little past the end of.
  let slack: BitSet

  /// - Parameter stages: of all nodes, in order.
  init(
    _ stages: [PreparedOperator.Stage], accesses: [NodeAccess], inputs: BitSet, kept: BitSet, slack: BitSet
  ) {
    self.inputs = inputs
    self.kept = kept
    self.slack = slack
    for access in accesses {
      for position in access.steps {
        steps.append(Step(stages[position], access, isFirst: position == access.steps.lowerBound))
      }
    }
  }
}
