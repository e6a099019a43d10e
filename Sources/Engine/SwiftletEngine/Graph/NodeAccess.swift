/// What one node's steps read and write, by slot.
struct NodeAccess {
  var steps: Range<Int>
  var reads: [TensorSlot]
  var writes: [TensorSlot]
  /// Those of `reads` and `writes` that the node's `prepare` has asked for.
  var asked: [TensorSlot]
  /// Those of `writes` whose contents are undefined before: outputs and scratch memory.
  var fresh: [TensorSlot]
  var workerScratchBytes: Int

  /// - Parameter memory: what the node's `prepare` has just asked for memory.
  init(_ node: Node, steps: Range<Int>, _ memory: SlotAllocator, _ table: ValueTable) {
    self.steps = steps
    asked = memory.currentValues + memory.currentScratch + memory.currentStates
    workerScratchBytes = memory.currentWorkerScratchBytes
    let read = node.inputs.compactMap { $0 }
    let variables = read.filter { table.variables[$0] != nil }
    reads = read.map(memory.slot(of:))
    fresh = node.outputs.map(memory.slot(of:)) + memory.currentScratch
    writes = fresh + variables.map(memory.slot(of:)) + memory.currentStates
  }
}
