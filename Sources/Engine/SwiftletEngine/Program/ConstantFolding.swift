import SwiftletBase

/// Computes nodes that read only constants ahead of all runs, each as a program of its own, and makes their outputs
/// constants.
struct ConstantFolding {
  let options: RuntimeOptions
  let compiler: ProgramCompiler

  init(_ compiler: ProgramCompiler) {
    self.compiler = compiler
    var options = compiler.options
    // Its memory has limits of its own, and small nodes gain nothing from threads.
    options.limits.arenaBytes = .max
    options.threads = 1
    self.options = options
  }

  /// Computes a node whose inputs are all constant, or do not matter. Returns whether it did: a node that takes too
  /// much memory or time is left to the run.
  ///
  /// - Throws: what the node throws, and `limitExceeded` when there is no memory.
  func fold(_ node: Node, _ table: ValueTable) throws -> Bool {
    guard isConstant(node, table), let sizes = outputSizes(of: node, table) else { return false }
    let folded = FoldedConstants(of: node, table, in: compiler.packed)
    if let known = folded.known {
      setConstants(node, known.map(Self.region), table)
      return true
    }
    let slots = SlotAllocator()
    let packing = PackingBatch(compiler.packed, memory: compiler.memory)
    let prepared = try compiler.prepare(node, table, slots, packing)
    guard scratchByteCount(slots) <= compiler.packed.foldedByteLimit,
      compiler.budget.spendIfPossible(WorkEstimate(prepared, node, slots, table).total)
    else { return false }
    try packing.fill(threads: 1)
    if let constants = compiler.constants {
      let program = try program(of: node, prepared, slots, table)
      setConstants(node, try runChecked(program, node, table, sizes: sizes, constants: constants), table)
      return true
    }
    if try expandLazily(node, sizes, folded, table) { return true }
    let outputs = try sizes.map { try AlignedBytes.available($0, for: "constants", at: node.location) }
    let program = try program(of: node, prepared, slots, table)
    try run(program, memory: nil) { value in node.outputs.firstIndex(of: value).map { outputs[$0].start } }
    try node.locatingErrors { try folded.share(outputs) }
    setConstants(node, outputs.map(Self.region), table)
    return true
  }

  private func isConstant(_ node: Node, _ table: ValueTable) -> Bool {
    node.operation.isPure && node.inputs.contains { $0 != nil }
      && (!node.operation.readsInputValues || node.inputs.allSatisfy { $0.map { table.constants[$0] != nil } ?? true })
  }

  /// The bytes of each output, or `nil` when they do not fit: then they are computed in the run, where the arena has a
  /// limit of its own.
  private func outputSizes(of node: Node, _ table: ValueTable) -> [Int]? {
    var sizes: [Int] = []
    var room = compiler.packed.foldedByteLimit - table.foldedByteCount
    for output in node.outputs {
      guard let size = table.specs[output].storedByteCount, size <= options.limits.foldedConstantBytes, size <= room
      else { return nil }
      sizes.append(size)
      room -= size
    }
    return sizes
  }

  /// What a node needs besides the memory of its inputs and outputs.
  private func scratchByteCount(_ slots: SlotAllocator) -> Int {
    slots.sources.reduce(slots.workerScratchBytes) { sum, source in
      switch source {
      case .value: sum
      case .scratch(let bytes), .state(_, let bytes, _): sum > Int.max - bytes ? .max : sum + bytes
      }
    }
  }

  /// The program of one node. Its outputs lie outside of it, as they stay; inputs that are not constant are not read.
  private func program(
    of node: Node, _ prepared: PreparedOperator, _ slots: SlotAllocator, _ table: ValueTable
  ) throws -> Program {
    var external = BitSet()
    external.insert(contentsOf: node.outputs)
    for case let input? in node.inputs { external.insert(input) }
    var layout = ProgramLayout(inputs: BitSet(), kept: BitSet(), external: external)
    layout.add(node, prepared: prepared, memory: slots, table: table)
    return try layout.finish(memory: slots, table: table, deferred: nil, options: options)
  }

  /// - Parameters:
  ///   - memory: where the program's tensors lie in checked mode.
  ///   - external: the memory of the outputs.
  private func run(
    _ program: Program, memory checked: CheckedMemory?, external: (ValueID) -> UnsafeMutableRawPointer?
  ) throws {
    let memory = SessionMemory(MemoryBudget(limit: .max))
    let instance = try ProgramInstance(
      program, states: StateStore(memory), memory: memory, threads: 1, checkedMemory: checked, external: external)
    try instance.run(profile: nil, budget: compiler.budget)
  }

  /// Runs the program in checked mode. Returns the outputs, each in read-only pages of its own.
  private func runChecked(
    _ program: Program, _ node: Node, _ table: ValueTable, sizes: [Int], constants: CheckedConstants
  ) throws -> [ByteRegion] {
    try constants.freeze()
    let memory = CheckedMemory(turn: options.checkedTurn)
    let widths = node.outputs.map { table.specs[$0].elementType.storedWidth ?? 1 }
    let outputs = try zip(sizes, widths).map { size, width in
      try memory.tensor(size, alignment: CheckedConstants.alignment(ofElements: width))
    }
    try AlignedBytes.taking(from: memory) {
      try run(program, memory: memory) { value in
        node.outputs.firstIndex(of: value).flatMap { outputs[$0].bytes.baseAddress }
      }
    }
    return try zip(outputs, widths).map { pages, width in
      try CheckedMemory.change(pages, to: .read)
      return try constants.copy(UnsafeRawBufferPointer(pages.bytes), elementWidth: width)
    }
  }

  /// Constants smaller than this are widened at once: they share pages with others.
  private static let minimumLazyBytes = 1 << 16

  /// Leaves a large constant that is only widened to those who read it. Returns whether it did.
  private func expandLazily(
    _ node: Node, _ sizes: [Int], _ folded: FoldedConstants, _ table: ValueTable
  ) throws -> Bool {
    guard sizes.count == 1, sizes[0] >= Self.minimumLazyBytes, node.inputs.count == 1,
      let source = node.inputs[0].flatMap({ table.constants[$0] }),
      let expansion = try node.operation.expansion(NodeView(node: node, values: table), compiler.kernels)
    else { return false }
    let block = try AlignedBytes.available(sizes[0], for: "constants", at: node.location, isWritten: false)
    block.deferred = LazyBuffer(source.filled(), expansion)
    try node.locatingErrors { try folded.share([block]) }
    setConstants(node, [Self.region(block)], table)
    return true
  }

  private static func region(_ block: AlignedBytes) -> ByteRegion {
    ByteRegion(owner: block, bytes: UnsafeRawBufferPointer(block.bytes))
  }

  private func setConstants(_ node: Node, _ outputs: [ByteRegion], _ table: ValueTable) {
    for (id, region) in zip(node.outputs, outputs) {
      table.constants[id] = region
      table.foldedByteCount += region.count
    }
  }
}
