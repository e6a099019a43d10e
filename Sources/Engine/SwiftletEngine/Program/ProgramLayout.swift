import SwiftletBase

/// A collector of prepared nodes, which converts them to steps with memory and dependencies.
struct ProgramLayout {
  private let inputs: BitSet
  private let kept: BitSet
  private var external: BitSet
  private var records: [Program.NodeRecord] = []
  private var stages: [(stage: PreparedOperator.Stage, node: Int, work: Double)] = []
  private var accesses: [NodeAccess] = []
  /// The estimated work of all nodes so far, in nanoseconds.
  private var work = 0.0
  /// The values that share another value's memory.
  private var sharing = ValueMap<ValueID>()

  init(inputs: BitSet, kept: BitSet, external: BitSet) {
    self.inputs = inputs
    self.kept = kept
    self.external = external
  }

  /// Marks values as outside the program, in addition to the initial ones.
  mutating func place(outside values: [ValueID]) { external.insert(contentsOf: values) }

  mutating func add(_ node: Node, prepared: PreparedOperator, memory: SlotAllocator, table: ValueTable) {
    let output = node.outputs.first
    if let index = prepared.sharesMemoryWithInput, let output, node.outputs.count == 1,
      let source = node.inputs[index], canShare(output, with: source, table)
    {
      sharing[output] = owner(of: source)
      return
    }
    let index = records.count
    let estimate = WorkEstimate(prepared, node, memory, table)
    work += estimate.total
    records.append(
      Program.NodeRecord(
        location: node.location, outputName: output.map { table.specs[$0].name } ?? "",
        multiplyAdds: prepared.multiplyAdds,
        precision: prepared.stages.contains { $0.precision == .reduced } ? .reduced : .full, work: estimate.total,
        implementation: memory.currentImplementation))
    let first = stages.count
    for (stage, work) in zip(prepared.stages, estimate.stages) where stage.tileCount > 0 {
      stages.append((stage, index, work))
    }
    accesses.append(NodeAccess(node, steps: first..<stages.count, memory, table))
  }

  /// Checks the work so far.
  ///
  /// - Throws: `limitExceeded` at the node with the most work if all nodes so far exceed the limit of one run.
  func requireWork(atMost limit: Duration) throws(RuntimeError) {
    let limit = RunBudget.nanoseconds(limit)
    guard work > limit else { return }
    throw RunBudget.exceeded(.run, work, limit, at: records.max { $0.work < $1.work }?.location)
  }

  /// Returns whether an output can share its source's memory. Sharing must not outlive a run, and a caller that writes
  /// an input must not change an output.
  private func canShare(_ output: ValueID, with source: ValueID, _ table: ValueTable) -> Bool {
    let root = owner(of: source)
    let isFixed = table.constants[root] != nil || table.variables[root] != nil || external.contains(root)
    return !(isFixed || (kept.contains(output) && inputs.contains(root)))
  }

  private func owner(of value: ValueID) -> ValueID { sharing[value] ?? value }

  func finish(
    memory: SlotAllocator, table: ValueTable, deferred: Program.Deferred?, options: RuntimeOptions
  ) throws -> Program {
    for value in sharing.keys { _ = memory.slot(of: value) }
    let end = stages.count
    var blocks = BlockTable(slotCount: memory.sources.count)
    for (index, source) in memory.sources.enumerated() {
      let slot = TensorSlot(index: index)
      switch source {
      case .scratch(let bytes): blocks.place(slot, bytes: bytes)
      case .state: break
      case .value(let id):
        let root = owner(of: id)
        guard table.constants[root] == nil, table.variables[root] == nil, !external.contains(root) else { break }
        blocks.place(slot, sharing: memory.slot(of: root), bytes: table.specs[root].storedByteCount ?? 0)
        if inputs.contains(id) { blocks.extend(slot, over: 0...max(end, 1) - 1) }
        if kept.contains(id) { blocks.extend(slot, to: max(end, 1) - 1) }
      }
    }
    for access in accesses where !access.steps.isEmpty {
      let lifetime = access.steps.lowerBound...(access.steps.upperBound - 1)
      for slot in access.reads { blocks.extend(slot, over: lifetime) }
      for slot in access.writes { blocks.extend(slot, over: lifetime) }
    }

    // Packed constants aren't read themselves.
    var read = BitSet()
    for access in accesses { for slot in access.asked { read.insert(slot.index) } }
    for id in kept.elements { read.insert(memory.slot(of: id).index) }
    let requests = blocks.requests
    let plan = try MemoryPlan.greedyBySize(requests, limit: options.limits.arenaBytes)
    let locations: [Program.SlotLocation] = try memory.sources.enumerated().map { index, source in
      switch source {
      case .state(let key, let bytes, let initialByte):
        return .state(key, bytes: bytes, initialByte: initialByte)
      case .scratch:
        return .arena(offset: plan.offsets[blocks.block(of: TensorSlot(index: index)) ?? 0])
      case .value(let id):
        let root = owner(of: id)
        if let stored = table.constants[root] {
          let constant = read.contains(index) ? stored.filled() : stored
          return .constant(memory.slack.contains(index) ? try constant.followedBySlack() : constant)
        }
        if let key = table.variables[root] {
          let spec = table.specs[root]
          let isQuantized = spec.elementType == .int8
          let zero = isQuantized ? UInt8(truncatingIfNeeded: spec.quantization?.zeroPoints.first ?? 0) : 0
          return .state(key, bytes: spec.storedByteCount ?? 0, initialByte: zero)
        }
        if external.contains(root) { return .external(root) }
        return .arena(offset: plan.offsets[blocks.block(of: TensorSlot(index: index)) ?? 0])
      }
    }

    try requireRoom(forStates: locations, limit: options.limits.arenaBytes)
    var regions = RegionTable(locations: locations, blocks: blocks, requests: requests)
    let dependencies = regions.dependencies(
      of: stages.count, accesses: accesses)
    let steps = zip(stages, dependencies).map {
      let alone = $0.stage.cut(forThreads: 1)
      return ProgramStep(
        stage: options.threads == 1 ? alone : $0.stage.cut(forThreads: options.threads), alone: alone,
        dependencies: $1, node: $0.node, work: $0.work)
    }
    return Program(
      nodes: records, steps: steps, locations: locations, slots: memory.valueSlots, specs: table.specs,
      arenaByteCount: plan.byteCount, workerScratchByteCount: memory.workerScratchBytes,
      tableByteCount: memory.tableBytes,
      deferred: deferred, memoryRequests: requests, memoryPlan: plan, blockOfSlot: blocks.blockOfSlot,
      checked: options.isChecked
        ? CheckedPlan(stages.map(\.stage), accesses: accesses, inputs: inputs, kept: kept, slack: memory.slack) : nil)
  }
}

extension ProgramLayout {
  /// Checks the size of the variables.
  ///
  /// - Throws: `limitExceeded` if the variables of a program exceed the limit.
  private func requireRoom(forStates locations: [Program.SlotLocation], limit: Int) throws {
    var total = 0
    for case .state(_, let bytes, _) in locations {
      let (sum, isTooLarge) = total.addingReportingOverflow(bytes)
      guard !isTooLarge, sum <= limit else {
        throw RuntimeError(
          .limitExceeded,
          "the model's variables take more bytes than the limit of \(limit); raise RuntimeOptions.limits.arenaBytes if this is intended"
        )
      }
      total = sum
    }
  }
}

/// The memory blocks of a program. Every slot that isn't a constant or state has a block, which several slots may
/// share.
struct BlockTable {
  private(set) var blockOfSlot: [Int?]
  private var bytes: [Int] = []
  private var lifetimes: [Lifetime] = []

  /// The first and last steps that access a block. While no step accesses it, the first is after the last.
  private struct Lifetime {
    var first = Int.max
    var last = -1
  }

  init(slotCount: Int) { blockOfSlot = Array(repeating: nil, count: slotCount) }

  /// The memory requests in block order. Blocks that no step accesses live for one step.
  var requests: [MemoryRequest] {
    zip(bytes, lifetimes).map { MemoryRequest(bytes: $0, lifetime: $1.last < 0 ? 0...0 : $1.first...$1.last) }
  }

  func block(of slot: TensorSlot) -> Int? { blockOfSlot[slot.index] }

  mutating func place(_ slot: TensorSlot, bytes size: Int) {
    guard blockOfSlot[slot.index] == nil else { return }
    blockOfSlot[slot.index] = bytes.count
    bytes.append(size)
    lifetimes.append(Lifetime())
  }

  mutating func place(_ slot: TensorSlot, sharing other: TensorSlot, bytes size: Int) {
    place(other, bytes: size)
    blockOfSlot[slot.index] = blockOfSlot[other.index]
  }

  mutating func extend(_ slot: TensorSlot, over steps: ClosedRange<Int>) {
    guard let block = blockOfSlot[slot.index] else { return }
    lifetimes[block].first = min(lifetimes[block].first, steps.lowerBound)
    lifetimes[block].last = max(lifetimes[block].last, steps.upperBound)
  }

  /// Extends the lifetime of the slot's block to step `end`.
  mutating func extend(_ slot: TensorSlot, to end: Int) { extend(slot, over: end...end) }
}
