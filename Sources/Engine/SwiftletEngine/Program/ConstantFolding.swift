import SwiftletBase

/// Constant folding: nodes that read only constants run at load, several nodes per program, and their outputs become
/// constants.
struct ConstantFolding {
  /// A node that is prepared, but not computed yet.
  private struct Item {
    var node: Node
    var sizes: [Int]
    var folded: FoldedConstants
    /// The output memory; empty in checked mode, where outputs have dedicated pages.
    var outputs: [AlignedBytes]
  }

  private let options: RuntimeOptions
  private let compiler: ProgramCompiler
  private var items: [Item] = []
  private var slots = SlotAllocator()
  private var packing: PackingBatch
  private var layout: ProgramLayout?
  private var pendingByteCount = 0

  init(_ compiler: ProgramCompiler) {
    self.compiler = compiler
    var options = compiler.options
    // Folding has its own memory limits, and small nodes don't benefit from threads.
    options.limits.arenaBytes = .max
    options.threads = 1
    self.options = options
    packing = PackingBatch(compiler.packed, memory: compiler.memory)
  }

  /// Schedules a node whose inputs are all constant or irrelevant, to be computed by the next `finish` at the latest.
  /// Returns whether it does: a node that takes too much memory or time is left to the run.
  ///
  /// - Precondition: `needsFinish(before:_:)` is false.
  /// - Throws: The error of the node, and `limitExceeded` if there is no memory.
  mutating func fold(_ node: Node, _ table: ValueTable) throws -> Bool {
    guard canFold(node, where: { table.constants[$0] != nil }), let sizes = outputSizes(of: node, table) else {
      return false
    }
    let folded = FoldedConstants(of: node, table, in: compiler.packed)
    if let known = folded.known {
      setConstants(node, known.map(Self.region), table)
      return true
    }
    let prepared = try prepare(node, table)
    if scratchByteCount(slots) > compiler.packed.foldedByteLimit {
      let isAlone = items.isEmpty
      try removeUnfinished(table)
      if isAlone { return false }
      try finish(table)
      return try fold(node, table)
    }
    guard compiler.budget.spendIfPossible(WorkEstimate(prepared, node, slots, table).total) else {
      try removeUnfinished(table)
      return false
    }
    let isChecked = compiler.constants != nil
    if !isChecked, try expandLazily(node, sizes, folded, table) { return true }
    let outputs =
      isChecked ? [] : try sizes.map { try AlignedBytes.available($0, for: "constants", at: node.location) }
    add(Item(node: node, sizes: sizes, folded: folded, outputs: outputs), prepared, table)
    // In checked mode, compute each node separately, so that a violation is attributed to this node.
    if isChecked { try finish(table) }
    return true
  }

  /// Returns whether a node is constant because of values that `finish` must compute first.
  func needsFinish(before node: Node, _ table: ValueTable) -> Bool {
    !items.isEmpty && node.inputs.contains { $0.map(table.pendingConstants.contains) ?? false }
      && canFold(node) { table.constants[$0] != nil || table.pendingConstants.contains($0) }
  }

  /// Computes the nodes scheduled by `fold`.
  ///
  /// - Throws: The error of a node, and `limitExceeded` if there is no memory.
  mutating func finish(_ table: ValueTable) throws {
    defer { begin(table) }
    guard let layout else { return }
    try packing.fill(threads: 1)
    let program = try layout.finish(memory: slots, table: table, deferred: nil, options: options)
    if let constants = compiler.constants, let item = items.first {
      // In checked mode, every node has its own program.
      setConstants(item.node, try runChecked(program, item.node, table, sizes: item.sizes, constants), table)
      return
    }
    var outputs = ValueMap<AlignedBytes>()
    for item in items { for (id, block) in zip(item.node.outputs, item.outputs) { outputs[id] = block } }
    try run(program, memory: nil) { outputs[$0]?.start }
    for item in items {
      try item.node.locatingErrors { try item.folded.share(item.outputs) }
      setConstants(item.node, item.outputs.map(Self.region), table)
    }
  }

  private mutating func begin(_ table: ValueTable) {
    items = []
    slots = SlotAllocator()
    packing = PackingBatch(compiler.packed, memory: compiler.memory)
    layout = nil
    table.pendingConstants = BitSet()
    pendingByteCount = 0
  }

  private func prepare(_ node: Node, _ table: ValueTable) throws -> PreparedOperator {
    slots.beginNode()
    return try compiler.prepare(node, table, slots, packing)
  }

  private mutating func add(_ item: Item, _ prepared: PreparedOperator, _ table: ValueTable) {
    var program = layout ?? ProgramLayout(inputs: BitSet(), kept: BitSet(), external: BitSet())
    layout = nil
    // Inputs are constant or not read, and outputs are kept.
    program.place(outside: item.node.outputs)
    program.place(outside: item.node.inputs.compactMap { $0 })
    program.add(item.node, prepared: prepared, memory: slots, table: table)
    layout = program
    items.append(item)
    table.pendingConstants.insert(contentsOf: item.node.outputs)
    pendingByteCount = item.sizes.reduce(pendingByteCount, +)
  }

  /// Removes the requests of a node that isn't added.
  private mutating func removeUnfinished(_ table: ValueTable) throws {
    let kept = items
    begin(table)
    for item in kept { add(item, try prepare(item.node, table), table) }
  }

  /// Returns whether a node returns the same result in every run, if the inputs that it reads are constant.
  private func canFold(_ node: Node, where isConstant: (ValueID) -> Bool) -> Bool {
    node.operation.isPure && node.inputs.contains { $0 != nil }
      && (!node.operation.readsInputValues || node.inputs.allSatisfy { $0.map(isConstant) ?? true })
  }

  /// Returns the size of each output in bytes, or `nil` if the outputs exceed the limit. They are then computed in the
  /// run, where the arena has its own limit.
  private func outputSizes(of node: Node, _ table: ValueTable) -> [Int]? {
    var sizes: [Int] = []
    var room = compiler.packed.foldedByteLimit - table.foldedByteCount - pendingByteCount
    for output in node.outputs {
      guard let size = table.specs[output].storedByteCount, size <= options.limits.foldedConstantBytes, size <= room
      else { return nil }
      sizes.append(size)
      room -= size
    }
    return sizes
  }

  /// Returns the memory that a node needs in addition to its inputs and outputs.
  private func scratchByteCount(_ slots: SlotAllocator) -> Int {
    slots.sources.reduce(slots.workerScratchBytes) { sum, source in
      switch source {
      case .value: sum
      case .scratch(let bytes), .state(_, let bytes, _): sum > Int.max - bytes ? .max : sum + bytes
      }
    }
  }

  /// Runs the program.
  ///
  /// - Parameters:
  ///   - memory: The memory of the program's tensors in checked mode.
  ///   - external: The memory of the outputs.
  private func run(
    _ program: Program, memory checked: CheckedMemory?, external: (ValueID) -> UnsafeMutableRawPointer?
  ) throws {
    let memory = SessionMemory(MemoryBudget(limit: .max))
    let instance = try ProgramInstance(
      program, states: StateStore(memory), memory: memory, threads: 1, checkedMemory: checked, external: external)
    try instance.run(profile: nil, budget: compiler.budget)
  }

  /// Runs the program in checked mode. Returns the outputs, each in dedicated read-only pages.
  private func runChecked(
    _ program: Program, _ node: Node, _ table: ValueTable, sizes: [Int], _ constants: CheckedConstants
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

  /// The minimum size of lazily expanded constants. Smaller constants are expanded immediately, because they share
  /// pages with others.
  private static let minimumLazyBytes = 1 << 16

  /// Leaves the expansion of a large constant to its readers, if it is only converted to a larger type. Returns whether
  /// it did.
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
