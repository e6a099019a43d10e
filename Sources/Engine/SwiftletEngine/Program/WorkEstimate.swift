/// How long a node takes of one thread, in nanoseconds: what its stages say, or else what its tensors' bytes take to
/// read and write.
struct WorkEstimate {
  /// By stage, those without tiles included.
  let stages: [Double]
  let total: Double

  /// For operators that say nothing of themselves: they read and write their tensors some few times.
  private static let perByte = 0.5
  /// In the kernels that multiply. Stages of products say more where they take longer.
  private static let perMultiplyAdd = 0.02
  /// What it takes to run a step at all.
  private static let perStep = 50.0

  init(_ prepared: PreparedOperator, _ node: Node, _ memory: SlotAllocator, _ table: ValueTable) {
    let tensors = (node.inputs.compactMap { $0 } + node.outputs).reduce(0.0) {
      $0 + Double(table.specs[$1].storedByteCount ?? 0)
    }
    let scratch = memory.currentScratch.reduce(tensors) { sum, slot in
      if case .scratch(let bytes) = memory.sources[slot.index] { sum + Double(bytes) } else { sum }
    }
    stages = prepared.stages.map { Self.perStep + ($0.work ?? scratch * Self.perByte) }
    total = max(stages.reduce(0, +), Double(prepared.multiplyAdds) * Self.perMultiplyAdd)
  }
}
