/// Which values lie where in the memory of a run, and when: the memory plan in words that a report can show.
package struct ArenaOccupancy: Sendable {
  package struct Block: Sendable, Hashable {
    /// In bytes from the start of the arena.
    package var offset: Int
    package var byteCount: Int
    /// Positions in `operators`: those during which the contents matter, first to last.
    package var lifetime: ClosedRange<Int>
    /// The values that lie in it, by number; empty for memory that an operator works in.
    package var values: [ValueID]
  }

  package var byteCount: Int
  /// Those of a run, in order.
  package var operators: [RuntimeError.Location]
  /// Those that hold anything.
  package var blocks: [Block]
  /// How many operators are planned when a run knows their shapes.
  package var deferredOperatorCount: Int
}

extension CompiledModel {
  /// The memory of the main graph's tensors. Values with numbers below the number of the entry point's tensors are
  /// these tensors, those above belong to subgraphs that took the place of an operator; `valueName` names them.
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
