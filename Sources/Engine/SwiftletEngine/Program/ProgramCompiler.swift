import SwiftletBase
import SwiftletKernels

/// Compiles nodes to a `Program`: infers shapes, folds constants, runs the passes, prepares every node, plans memory
/// and orders steps.
struct ProgramCompiler {
  let options: RuntimeOptions
  let kernels: KernelTable
  let packed: PackedConstants
  /// What compiling may take, and what it computes ahead of a run.
  let budget: RunBudget
  /// What packed constants count against: that of the session which compiles, or the model's.
  let memory: MemoryBudget
  /// Where the compilation's constants and tables lie in checked mode.
  private(set) var constants: CheckedConstants?

  init(options: RuntimeOptions, kernels: KernelTable, packed: PackedConstants, budget: RunBudget, memory: MemoryBudget)
  {
    self.options = options
    self.kernels = kernels
    self.packed = packed
    self.budget = budget
    self.memory = memory
  }

  /// - Parameters:
  ///   - nodes: In an order in which every value is computed before it is read.
  ///   - table: The values; shapes of `inputs` are set, the others are inferred.
  ///   - inputs: Values that the caller fills before a run.
  ///   - results: Values that must be there after a run.
  ///   - earlier: Values that an earlier program of the same run has computed.
  func compile(
    _ nodes: [Node], table: ValueTable, inputs: [ValueID], results: BitSet, earlier: BitSet = BitSet()
  ) throws -> Program {
    defer { packed.removeUnused() }
    guard options.isChecked, constants == nil else {
      return try compileNodes(nodes, table: table, inputs: inputs, results: results, earlier: earlier)
    }
    let constants = CheckedConstants(options)
    var compiler = self
    compiler.constants = constants
    return try AlignedBytes.taking(from: constants) {
      let program = try compiler.compileNodes(nodes, table: table, inputs: inputs, results: results, earlier: earlier)
      try constants.freeze()
      return program
    }
  }

  private func compileNodes(
    _ nodes: [Node], table: ValueTable, inputs: [ValueID], results: BitSet, earlier: BitSet
  ) throws -> Program {
    let inference = ShapeInference(compiler: self)
    var (known, deferred) = try inference.run(nodes, table: table)
    var needed = results
    var computedLater = BitSet()
    for node in deferred {
      for case let input? in node.inputs { needed.insert(input) }
      computedLater.insert(contentsOf: node.outputs)
    }
    let kept = needed.subtracting(computedLater)
    if options.runsPasses { for pass in Self.passes { try pass(&known, table, kept) } }
    // The other numerics has functions of its own for what is fused here.
    if options.runsPasses, options.numerics == .fast {
      try SquareFusion.run(&known, table, kept)
      try EpilogueFusion.run(&known, table, kept)
    }

    let packing = PackingBatch(packed, memory: memory, expectedBytes: constantBytes(known, table))
    let memory = SlotAllocator()
    for id in inputs { _ = memory.slot(of: id) }
    var layout = ProgramLayout(inputs: BitSet(inputs), kept: kept, external: earlier)
    for node in known {
      memory.beginNode()
      layout.add(node, prepared: try prepare(node, table, memory, packing), memory: memory, table: table)
      // At once: what is refused in the end should not have been prepared for long.
      try layout.requireWork(atMost: options.limits.runWork)
    }
    for id in kept.elements { _ = memory.slot(of: id) }
    try packing.finish(threads: constants == nil ? options.threads : 1)
    // What is compiled later reads constants where they are.
    if !deferred.isEmpty { for id in table.constants.keys { _ = table.constants[id]?.filled() } }
    let rest = deferred.isEmpty ? nil : Program.Deferred(nodes: deferred, values: table.content, results: results)
    return try layout.finish(memory: memory, table: table, deferred: rest, options: options)
  }

  /// What a run executes for a node; nothing when all it does is to write tensors without elements.
  ///
  /// - Throws: what the node's operator throws, and `limitExceeded` when it wants too much memory.
  func prepare(
    _ node: Node, _ table: ValueTable, _ memory: SlotAllocator, _ packing: PackingBatch
  ) throws -> PreparedOperator {
    let hasEffects = !node.operation.isPure || node.inputs.contains { $0.map { table.variables[$0] != nil } ?? false }
    let isEmpty = !node.outputs.isEmpty && node.outputs.allSatisfy { table.specs[$0].shape.elementCount == 0 }
    if isEmpty && !hasEffects { return .empty }
    let view = NodeView(node: node, values: table)
    let context = PrepareContext(node: view, options: options, kernels: kernels, memory: memory, packing: packing)
    let prepared = try node.locatingErrors { try node.operation.prepare(context) }
    guard memory.workerScratchBytes <= options.limits.tensorBytes else {
      throw RuntimeError(
        .limitExceeded,
        "every thread needs \(memory.workerScratchBytes) bytes for it, above the limit of \(options.limits.tensorBytes); raise RuntimeOptions.limits.tensorBytes if this is intended",
        location: node.location)
    }
    return prepared
  }

  /// Returns the bytes of the constants that nodes read, and what packing adds to them, roughly.
  private func constantBytes(_ nodes: [Node], _ table: ValueTable) -> Int {
    let bytes = nodes.reduce(0) { sum, node in
      node.inputs.reduce(sum) { $0 &+ ($1.flatMap { table.constants[$0]?.count } ?? 0) }
    }
    return bytes &+ bytes / 8
  }

  /// The graph transformations, in order. Each takes the nodes, their values, and the values that must stay.
  private static let passes: [@Sendable (inout [Node], ValueTable, BitSet) throws -> Void] = [
    DeadCodeElimination.run,
    TransposeElimination.run,
    PadFusion.run,
    ActivationFusion.run,
    QuantizedClampFusion.run,
  ]
}
