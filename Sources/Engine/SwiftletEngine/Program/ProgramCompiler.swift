import SwiftletBase
import SwiftletKernels

/// A compiler from nodes to a `Program`. It infers shapes, folds constants, runs the passes, prepares every node, plans
/// memory, and orders steps.
struct ProgramCompiler {
  let options: RuntimeOptions
  let kernels: KernelTable
  let packed: PackedConstants
  /// The budget for compilation and for computing constants.
  let budget: RunBudget
  /// The budget for packed constants: of the session that compiles, or of the model.
  let memory: MemoryBudget
  /// The subgraphs that are replaced by one operator, in order of precedence.
  let patterns: [any OperatorPattern]
  /// The compilation's constants and tables in checked mode.
  private(set) var constants: CheckedConstants?

  init(
    options: RuntimeOptions, kernels: KernelTable, packed: PackedConstants, budget: RunBudget, memory: MemoryBudget,
    patterns: [any OperatorPattern] = []
  ) {
    self.options = options
    self.kernels = kernels
    self.packed = packed
    self.budget = budget
    self.memory = memory
    self.patterns = patterns
  }

  /// Compiles nodes.
  ///
  /// - Parameters:
  ///   - nodes: The nodes, ordered so that every value is computed before it is read.
  ///   - table: The values. The shapes of `inputs` are set, and the others are inferred.
  ///   - inputs: The values that the caller fills before a run.
  ///   - results: The values that must be available after a run.
  ///   - earlier: The values computed by an earlier program of the same run.
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
    if options.runsPasses { try runPasses(&known, table, kept, inference) }

    let packing = PackingBatch(packed, memory: memory, expectedBytes: constantBytes(known, table))
    let memory = SlotAllocator()
    for id in inputs { _ = memory.slot(of: id) }
    var layout = ProgramLayout(inputs: BitSet(inputs), kept: kept, external: earlier)
    for node in known {
      memory.beginNode()
      layout.add(node, prepared: try prepare(node, table, memory, packing), memory: memory, table: table)
      // Check after every node, so that a model over budget is rejected early.
      try layout.requireWork(atMost: options.limits.runWork)
    }
    for id in kept.elements { _ = memory.slot(of: id) }
    try packing.finish(threads: constants == nil ? options.threads : 1)
    // Nodes compiled later read constants in place.
    if !deferred.isEmpty { for id in table.constants.keys { _ = table.constants[id]?.filled() } }
    let rest = deferred.isEmpty ? nil : Program.Deferred(nodes: deferred, values: table.content, results: results)
    return try layout.finish(memory: memory, table: table, deferred: rest, options: options)
  }

  /// Runs the graph transformations, in order. Each receives the nodes, their values, and the values that must be kept.
  private func runPasses(
    _ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet, _ inference: ShapeInference
  ) throws {
    // Bit-exact numerics uses unfused reference kernels.
    let isFast = options.numerics == .fast
    DeadCodeElimination.run(&nodes, table, kept)
    try TransposeElimination.run(&nodes, table, kept)
    if isFast {
      try PatternFusion.run(&nodes, table, kept, patterns) { try inference.run([$0], table: table).known }
    }
    try DilationFusion.run(&nodes, table, kept)
    try PadFusion.run(&nodes, table, kept)
    ActivationFusion.run(&nodes, table, kept)
    try QuantizedClampFusion.run(&nodes, table, kept)
    if isFast {
      try SquareFusion.run(&nodes, table, kept)
      try EpilogueFusion.run(&nodes, table, kept)
    }
  }

  /// Returns the stages that a run executes for a node; none if the node only writes empty tensors.
  ///
  /// - Throws: The error of the node's operator, and `limitExceeded` if it requests too much memory.
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

  /// Returns the approximate size, in bytes, of the constants that nodes read and of their packed layouts.
  private func constantBytes(_ nodes: [Node], _ table: ValueTable) -> Int {
    let bytes = nodes.reduce(0) { sum, node in
      node.inputs.reduce(sum) { $0 &+ ($1.flatMap { table.constants[$0]?.count } ?? 0) }
    }
    return bytes &+ bytes / 8
  }
}
