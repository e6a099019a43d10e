import SwiftletBase

extension ShapeInference {
  /// What a node whose inputs are constant gives, computed in checked mode.
  ///
  /// - Parameters:
  ///   - slots: what `prepare` has asked for.
  ///   - sizes: of the outputs, in bytes.
  /// - Throws: what the node throws, and `limitExceeded` when there is no memory.
  func foldChecked(
    _ node: Node, _ prepared: PreparedOperator, _ slots: SlotAllocator, _ table: ValueTable, sizes: [Int],
    constants: CheckedConstants
  ) throws -> [ByteRegion] {
    try constants.freeze()
    let memory = CheckedMemory(turn: options.checkedTurn)
    let nowhere = memory.nowhere?.bytes.baseAddress ?? AlignedBytes.nowhere.start
    let access = NodeAccess(node, steps: 0..<prepared.stages.count, slots, table)
    let outputs = try zip(node.outputs, sizes).map { id, size in
      try memory.tensor(
        size, alignment: CheckedConstants.alignment(ofElements: table.specs[id].elementType.storedWidth ?? 1))
    }
    // Empty for constants, which may always be read.
    var pages: [GuardedPages?] = []
    var copies: [ByteRegion] = []
    var pointers: [UnsafeMutableRawPointer] = []
    for (index, source) in slots.sources.enumerated() {
      switch source {
      case .value(let id):
        let output = node.outputs.firstIndex(of: id).map { outputs[$0] }
        pages.append(output)
        let constant = slots.slack.contains(index) ? try table.constants[id]?.followedBySlack() : table.constants[id]
        if let constant { copies.append(constant) }
        let address = constant?.bytes.baseAddress.map(UnsafeMutableRawPointer.init(mutating:))
        pointers.append(output?.bytes.baseAddress ?? address ?? nowhere)
      case .scratch(let bytes), .state(_, let bytes, _):
        let block = try memory.scratch(bytes)
        pages.append(block)
        pointers.append(block.bytes.baseAddress ?? nowhere)
      }
    }
    // A table is never empty, so that it has an address.
    pointers.append(nowhere)
    let scratch = access.workerScratchBytes > 0 ? try memory.scratch(access.workerScratchBytes) : nil
    try pointers.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for (index, stage) in prepared.stages.enumerated() {
        let checked = CheckedPlan.Step(stage, access, isFirst: index == 0)
        let step = CheckedStep(
          stage: stage, location: node.location, reads: checked.reads.compactMap { pages[$0.index] },
          writes: checked.writes.compactMap { pages[$0.index] }, fresh: checked.fresh.compactMap { pages[$0.index] },
          workerScratch: scratch)
        try step.run(base, nowhere: nowhere, seed: options.checkedTurn &+ index, check: compiler.budget.check)
      }
    }
    withExtendedLifetime(copies) {}
    return try zip(node.outputs, outputs).map { id, pages in
      try CheckedMemory.change(pages, to: .read)
      return try constants.copy(
        UnsafeRawBufferPointer(pages.bytes), elementWidth: table.specs[id].elementType.storedWidth ?? 1)
    }
  }
}
