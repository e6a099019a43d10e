import SwiftletBase
import SwiftletKernels

/// Infers the shapes of all values in order, computes what follows from constants at once, and sets aside the nodes
/// whose shapes only a run can tell.
struct ShapeInference {
  let options: RuntimeOptions
  let compiler: ProgramCompiler

  func run(_ nodes: [Node], table: ValueTable) throws -> (known: [Node], deferred: [Node]) {
    var known: [Node] = []
    var deferred: [Node] = []
    var unknown = BitSet()
    var isStateDeferred = false
    table.budget = compiler.budget
    for node in nodes {
      try compiler.budget.check()
      // State changes keep their order: once one waits for the run, those behind it wait too.
      let waits =
        node.inputs.contains { $0.map(unknown.contains) ?? false } || (isStateDeferred && touchesState(node, table))
      if !waits, let shapes = try shapes(of: node, table) {
        try apply(shapes, to: node, table)
        if try fold(node, table) { continue }
        known.append(node)
        noteChanges(by: node, table)
      } else {
        unknown.insert(contentsOf: node.outputs)
        isStateDeferred = isStateDeferred || touchesState(node, table)
        deferred.append(node)
      }
    }
    return (known, deferred)
  }

  private func touchesState(_ node: Node, _ table: ValueTable) -> Bool {
    !node.operation.isPure || node.inputs.contains { $0.map { table.variables[$0] != nil } ?? false }
  }

  /// Takes note of the states that a node of the program may change. Whatever reads one of them to infer a shape waits
  /// until it has.
  private func noteChanges(by node: Node, _ table: ValueTable) {
    for case let input? in node.inputs {
      if let variable = table.variables[input] { table.changedStates.set(variable, to: true) }
      // What gives something only reads what its handle names.
      if node.outputs.isEmpty, let resource = table.resources[input] { table.changedStates.set(resource, to: true) }
    }
  }

  /// The output shapes, or `nil` when they depend on values that are not known yet.
  private func shapes(of node: Node, _ table: ValueTable) throws -> [Shape]? {
    do {
      return try node.locatingErrors { try node.operation.inferShapes(NodeView(node: node, values: table)) }
    } catch is DataDependence {
      return nil
    }
  }

  private func apply(_ shapes: [Shape], to node: Node, _ table: ValueTable) throws {
    guard shapes.count == node.outputs.count else {
      throw RuntimeError(
        .invalidModel, "gives \(shapes.count) outputs, the model names \(node.outputs.count)", location: node.location)
    }
    for (position, (id, shape)) in zip(node.outputs, shapes).enumerated() {
      table.specs[id].shape = shape
      if position < node.replacedInputs.count, let replaced = node.replacedInputs[position] {
        try checkReplacement(of: table.specs[replaced], by: table.specs[id], node)
      }
      try options.limits.check(table.specs[id], "output", at: node.location)
    }
  }

  /// A tensor that an operator takes and gives must be the same to whoever reads it before and after.
  private func checkReplacement(of input: TensorSpec, by output: TensorSpec, _ node: Node) throws(RuntimeError) {
    guard input.shape == output.shape, input.elementType == output.elementType, input.modelType == output.modelType
    else {
      throw RuntimeError(
        .invalidModel,
        "names \(input) as its output as well, but gives \(output); type and shape must stay, or the output must be a tensor of its own",
        location: node.location)
    }
  }

  /// Runs a node whose inputs are all constant, or do not matter, and makes its outputs constants. Returns whether it
  /// did.
  private func fold(_ node: Node, _ table: ValueTable) throws -> Bool {
    guard node.operation.isPure, !node.inputs.isEmpty, node.inputs.contains(where: { $0 != nil }),
      !node.operation.readsInputValues || node.inputs.allSatisfy({ $0.map { table.constants[$0] != nil } ?? true })
    else { return false }
    // What does not fit is computed in the run, where the arena has a limit of its own.
    var sizes: [Int] = []
    var room = compiler.packed.foldedByteLimit - table.foldedByteCount
    for output in node.outputs {
      guard let size = table.specs[output].storedByteCount, size <= options.limits.foldedConstantBytes, size <= room
      else { return false }
      sizes.append(size)
      room -= size
    }
    let folded = FoldedConstants(of: node, table, in: compiler.packed)
    if let known = folded.known {
      setConstants(node, known, table)
      return true
    }

    let memory = SlotAllocator()
    let packing = PackingBatch(compiler.packed, memory: compiler.memory)
    let prepared = try compiler.prepare(node, table, memory, packing)
    guard scratchBytes(memory) <= compiler.packed.foldedByteLimit,
      compiler.budget.spendIfPossible(WorkEstimate(prepared, node, memory, table).total)
    else { return false }
    try packing.fill(threads: 1)
    if let constants = compiler.constants {
      let regions = try foldChecked(node, prepared, memory, table, sizes: sizes, constants: constants)
      for (id, region) in zip(node.outputs, regions) {
        table.constants[id] = region
        table.foldedByteCount += region.count
      }
      return true
    }
    if try foldLater(node, sizes, folded, table) { return true }
    let outputs = try sizes.map { try AlignedBytes.available($0, for: "constants", at: node.location) }
    var owned: [AlignedBytes] = []
    var constants: [ByteRegion] = []
    var pointers: [UnsafeMutableRawPointer] = []
    for (index, source) in memory.sources.enumerated() {
      switch source {
      case .value(let id):
        if let position = node.outputs.firstIndex(of: id) {
          pointers.append(outputs[position].start)
        } else {
          let input = table.constants[id]?.filled()
          let constant = memory.slack.contains(index) ? try input?.followedBySlack() : input
          if let constant { constants.append(constant) }
          // Operators never write to their inputs unless these are variables, which are not constants.
          let bytes = constant?.bytes.baseAddress ?? UnsafeRawPointer(AlignedBytes.nowhere.start)
          pointers.append(UnsafeMutableRawPointer(mutating: bytes))
        }
      case .scratch(let bytes), .state(_, let bytes, _):
        let block = try AlignedBytes.available(bytes, for: "intermediate results", at: node.location)
        owned.append(block)
        pointers.append(block.start)
      }
    }
    let scratch = try AlignedBytes.available(
      memory.workerScratchBytes, for: "intermediate results", at: node.location)
    // A table is never empty, so that it has an address.
    pointers.append(AlignedBytes.nowhere.start)
    try pointers.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let context = RunContext(pointers: base, workerScratch: scratch.start)
      for stage in prepared.stages.map({ $0.cut(forThreads: 1) }) {
        for tile in 0..<stage.tileCount {
          try compiler.budget.check()
          try stage.run(context, tile)
        }
      }
    }
    withExtendedLifetime((owned, constants)) {}
    try node.locatingErrors { try folded.share(outputs) }
    setConstants(node, outputs, table)
    return true
  }

  /// Constants smaller than this are widened at once: they share pages with others.
  private static let leastDeferredBytes = 1 << 16

  /// Leaves a large constant that is only widened to those who read it. Returns whether it did.
  private func foldLater(
    _ node: Node, _ sizes: [Int], _ folded: FoldedConstants, _ table: ValueTable
  ) throws -> Bool {
    guard sizes.count == 1, sizes[0] >= Self.leastDeferredBytes, node.inputs.count == 1,
      let source = node.inputs[0].flatMap({ table.constants[$0] }),
      let expansion = try node.operation.expansion(NodeView(node: node, values: table), compiler.kernels)
    else { return false }
    let block = try AlignedBytes.available(sizes[0], for: "constants", at: node.location, isWritten: false)
    block.deferred = LazyBuffer(source.filled(), expansion)
    try node.locatingErrors { try folded.share([block]) }
    setConstants(node, [block], table)
    return true
  }

  private func setConstants(_ node: Node, _ outputs: [AlignedBytes], _ table: ValueTable) {
    for (id, block) in zip(node.outputs, outputs) {
      table.constants[id] = ByteRegion(owner: block, bytes: UnsafeRawBufferPointer(block.bytes))
      table.foldedByteCount += block.bytes.count
    }
  }

  /// What a node needs besides the memory of its inputs and outputs.
  private func scratchBytes(_ memory: SlotAllocator) -> Int {
    memory.sources.reduce(memory.workerScratchBytes) { sum, source in
      switch source {
      case .value: sum
      case .scratch(let bytes), .state(_, let bytes, _): sum > Int.max - bytes ? .max : sum + bytes
      }
    }
  }
}

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
