import SwiftletBase

/// A runner for a program in checked mode. It runs the steps one after the other on the caller's thread, each limited
/// to its own tensors.
final class CheckedRun {
  private let program: Program
  private let plan: CheckedPlan
  private let memory: CheckedMemory
  /// The blocks in the order of the program's memory requests.
  private let blocks: [GuardedPages]
  /// The worker scratch memory during a step, by node.
  private let workerScratch: [Int: GuardedPages]

  /// Creates the runner.
  ///
  /// - Throws: `limitExceeded` if the system has no memory.
  init(_ program: Program, _ plan: CheckedPlan, _ memory: CheckedMemory) throws(RuntimeError) {
    self.program = program
    self.plan = plan
    self.memory = memory
    var widths = [Int](repeating: 0, count: program.memoryRequests.count)
    var haveSlack = [Bool](repeating: false, count: widths.count)
    for value in program.slots.keys {
      guard let slot = program.slots[value], let block = program.blockOfSlot[slot.index] else { continue }
      let width = program.specs[value].elementType.storedWidth ?? 1
      widths[block] = max(widths[block], width)
      // The reads of a later program aren't known yet.
      let isReadLater = program.deferred != nil && plan.kept.contains(value) && width == 1
      if plan.slack.contains(slot.index) || isReadLater { haveSlack[block] = true }
    }
    var blocks: [GuardedPages] = []
    for (index, request) in program.memoryRequests.enumerated() {
      // Scratch memory has no element type.
      blocks.append(
        widths[index] == 0
          ? try memory.scratch(request.bytes)
          : try memory.tensor(
            request.bytes, alignment: CheckedConstants.alignment(ofElements: widths[index]),
            slack: haveSlack[index] ? MemoryPlan.slackBytes : 0))
    }
    self.blocks = blocks
    var scratch: [Int: GuardedPages] = [:]
    for (step, checked) in zip(program.steps, plan.steps)
    where checked.workerScratchBytes > 0 && scratch[step.node] == nil {
      scratch[step.node] = try memory.scratch(checked.workerScratchBytes)
    }
    workerScratch = scratch
  }

  /// Returns the address of a slot in the arena; `nil` for other slots.
  func address(ofSlot index: Int) -> UnsafeMutableRawPointer? {
    program.blockOfSlot[index].flatMap { blocks[$0].bytes.baseAddress }
  }

  /// The address used for absent tensors.
  var nowhere: UnsafeMutableRawPointer { memory.nowhere?.bytes.baseAddress ?? AlignedBytes.nowhere.start }

  /// Lets a caller access a value until the next run. Inputs can also be written.
  func open(_ value: ValueID, _ slot: TensorSlot, _ pointers: UnsafePointer<UnsafeMutableRawPointer>) {
    guard let pages = pages(of: slot, pointers) else { return }
    memory.open(pages, forWriting: plan.inputs.contains(value))
  }

  /// Returns the pages of a slot; `nil` for constants, which are always readable and never writable.
  private func pages(of slot: TensorSlot, _ pointers: UnsafePointer<UnsafeMutableRawPointer>) -> GuardedPages? {
    switch program.locations[slot.index] {
    case .constant: nil
    case .arena: program.blockOfSlot[slot.index].map { blocks[$0] }
    case .state, .external: memory.block(at: pointers[slot.index])
    }
  }

  /// Runs all steps.
  ///
  /// - Parameter isAlone: Whether to use the tiles for a single thread.
  /// - Throws: The first error of a step, and the errors of the budget's check.
  func run(_ pointers: UnsafePointer<UnsafeMutableRawPointer>, isAlone: Bool, profile: RunProfile?, budget: RunBudget)
    throws
  {
    try memory.closeAll()
    defer { memory.reopen() }
    for (index, (step, checked)) in zip(program.steps, plan.steps).enumerated() {
      let confined = CheckedStep(
        stage: isAlone ? step.alone : step.stage, location: program.nodes[step.node].location,
        reads: checked.reads.compactMap { pages(of: $0, pointers) },
        writes: checked.writes.compactMap { pages(of: $0, pointers) },
        fresh: checked.fresh.compactMap { pages(of: $0, pointers) },
        workerScratch: checked.workerScratchBytes > 0 ? workerScratch[step.node] : nil)
      let start = ContinuousClock.now
      try confined.run(pointers, nowhere: nowhere, seed: memory.turn &* 7919 &+ index, check: budget.check)
      profile?.add(ContinuousClock.now - start, to: step.node)
    }
  }
}
