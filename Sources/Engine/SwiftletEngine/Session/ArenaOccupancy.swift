/// The positions and lifetimes of values in the memory of a run: the memory plan in a form for reports.
package struct ArenaOccupancy: Sendable {
  package struct Block: Sendable, Hashable {
    /// The offset from the start of the arena in bytes.
    package var offset: Int
    package var byteCount: Int
    /// The indices in `operators` during which the contents are needed, first to last.
    package var lifetime: ClosedRange<Int>
    /// The values in the block, by number; empty for an operator's scratch memory.
    package var values: [ValueID]
  }

  package var byteCount: Int
  /// The operators of a run, in order.
  package var operators: [RuntimeError.Location]
  /// The blocks that contain anything.
  package var blocks: [Block]
  /// The number of operators that are planned in the run, once their shapes are known.
  package var deferredOperatorCount: Int
}

extension CompiledModel {
  /// The memory of the main graph's tensors. Values with numbers below the tensor count of the entry point are its
  /// tensors. Values with higher numbers belong to inlined subgraphs. `valueName` returns their names.
  package var arenaOccupancy: ArenaOccupancy {
    var valuesOfBlock = [[ValueID]](repeating: [], count: program.memoryRequests.count)
    for value in program.slots.keys {
      guard let slot = program.slots[value], let block = program.blockOfSlot[slot.index] else { continue }
      valuesOfBlock[block].append(value)
    }
    let steps = program.steps
    var blocks: [ArenaOccupancy.Block] = []
    for (index, request) in program.memoryRequests.enumerated() where request.bytes > 0 && !steps.isEmpty {
      let last = min(request.lifetime.upperBound, steps.count - 1)
      let first = min(request.lifetime.lowerBound, last)
      blocks.append(
        ArenaOccupancy.Block(
          offset: program.memoryPlan.offsets[index], byteCount: request.bytes,
          lifetime: steps[first].node...steps[last].node, values: valuesOfBlock[index]))
    }
    return ArenaOccupancy(
      byteCount: program.arenaByteCount, operators: program.nodes.map(\.location), blocks: blocks,
      deferredOperatorCount: program.deferred?.nodes.count ?? 0)
  }

  /// Returns the name of a value of the main graph.
  package func valueName(_ value: ValueID) -> String { program.specs[value].name }
}
