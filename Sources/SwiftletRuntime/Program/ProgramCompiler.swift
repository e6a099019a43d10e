import SwiftletFlatBuffers
import SwiftletKernels

/// Compiles nodes to a `Program`: infers shapes, folds constants, runs the passes, prepares every node, plans memory
/// and orders steps.
struct ProgramCompiler {
  let options: RuntimeOptions
  let kernels: KernelTable
  let packed: PackedConstants

  /// - Parameters:
  ///   - nodes: in an order in which every value is computed before it is read.
  ///   - table: the values; shapes of `inputs` are set, the others are inferred.
  ///   - inputs: values that the caller fills before a run.
  ///   - results: values that must be there after a run.
  ///   - earlier: values that an earlier program of the same run has computed.
  func compile(
    _ nodes: [Node], table: ValueTable, inputs: [ValueID], results: Set<ValueID>, earlier: Set<ValueID> = []
  ) throws -> Program {
    let inference = ShapeInference(options: options, compiler: self)
    var (known, deferred) = try inference.run(nodes, table: table)
    let neededLater = Set(deferred.flatMap { $0.inputs.compactMap { $0 } })
    let computedLater = Set(deferred.flatMap(\.outputs))
    let kept = results.union(neededLater).subtracting(computedLater)
    for pass in Self.passes { try pass(&known, table, kept) }
    // The other numerics has functions of its own for what is fused here.
    if options.numerics == .fast { try FollowerFusion.run(&known, table, kept) }

    let memory = SlotAllocator()
    for id in inputs { _ = memory.slot(of: id) }
    var layout = ProgramLayout(inputs: Set(inputs), kept: kept, earlier: earlier)
    for node in known {
      memory.beginNode()
      layout.add(node, prepared: try prepare(node, table, memory), memory: memory, table: table)
    }
    for id in kept { _ = memory.slot(of: id) }
    let rest = deferred.isEmpty ? nil : Program.Deferred(nodes: deferred, values: table.content, results: results)
    return try layout.finish(memory: memory, table: table, deferred: rest, options: options)
  }

  /// What a run executes for a node; nothing when all it does is to write tensors without elements.
  ///
  /// - Throws: what the node's operator throws, and `limitExceeded` when it wants too much memory.
  func prepare(_ node: Node, _ table: ValueTable, _ memory: SlotAllocator) throws -> PreparedOperator {
    let hasEffects = !node.operation.isPure || node.inputs.contains { $0.map { table.variables[$0] != nil } ?? false }
    let isEmpty = !node.outputs.isEmpty && node.outputs.allSatisfy { table.specs[$0].shape.elementCount == 0 }
    if isEmpty && !hasEffects { return .empty }
    let view = NodeView(node: node, values: table)
    let context = PrepareContext(node: view, options: options, kernels: kernels, memory: memory, packed: packed)
    let prepared = try node.locatingErrors { try node.operation.prepare(context) }
    guard memory.workerScratchBytes <= options.limits.tensorBytes else {
      throw RuntimeError(
        .limitExceeded,
        "every thread needs \(memory.workerScratchBytes) bytes for it, above the limit of \(options.limits.tensorBytes); raise RuntimeOptions.limits.tensorBytes if that is meant",
        location: node.location)
    }
    return prepared
  }

  /// The graph transformations, in order. Each takes the nodes, their values, and the values that must stay.
  private static let passes: [@Sendable (inout [Node], ValueTable, Set<ValueID>) throws -> Void] = [
    DeadCodeElimination.run,
    PaddingFolding.run,
    ActivationFusion.run,
  ]
}
