/// An analysis that finds every operator of a graph that rejects its inputs, for example because of incompatible types,
/// missing quantization, or mismatched sizes.
///
/// A compilation stops at the first error. The analysis continues with all operators whose inputs don't depend on a
/// rejected operator. It runs nothing except constant folding.
struct SupportAnalysis {
  /// An operator that rejects its inputs, and the reason.
  struct Refusal {
    var location: RuntimeError.Location
    var reason: String
  }

  private let compiler: ProgramCompiler

  /// Creates an analysis.
  ///
  /// - Parameters:
  ///   - options: The runtime options.
  ///   - fileBytes: The size of the model file.
  ///   - budget: The budget for all analyses of a model.
  init(options: RuntimeOptions, fileBytes: Int, budget: RunBudget) {
    let memory = MemoryBudget(limit: options.limits.sessionBytes)
    compiler = ProgramCompiler(
      options: options, kernels: .current,
      packed: PackedConstants(options.limits, fileBytes: fileBytes, memory: memory),
      budget: budget, memory: memory)
  }

  /// Returns the refusals in `graph` and in its called subgraphs.
  ///
  /// - Throws: The errors that end every load: the deadline, and the cancellation of the task.
  func refusals(in graph: Graph) throws -> [Refusal] {
    try compiler.budget.spend(RunBudget.compilingWork(nodes: graph.nodes.count), at: graph.nodes.first?.location)
    var found = try refusals(in: graph, unknown: BitSet())
    for subgraph in graph.callees.keys {
      guard let callee = graph.callees[subgraph] else { continue }
      try compiler.budget.spend(RunBudget.compilingWork(nodes: callee.nodes.count), at: callee.nodes.first?.location)
      // The inputs of a called subgraph have the shapes of the call, not those in the file.
      let open = callee.inputs.map(\.value).filter { callee.values.specs[$0].hasUnknownDimensions }
      found += try refusals(in: callee, unknown: BitSet(open))
    }
    return found
  }

  private func refusals(in graph: Graph, unknown: BitSet) throws -> [Refusal] {
    let table = ValueTable(graph.values)
    let inference = ShapeInference(compiler: compiler)
    var unknown = unknown
    var computed = BitSet(graph.inputs.map(\.value))
    var known: [Node] = []
    var needed = BitSet(graph.outputs.map(\.value))
    var found: [Refusal] = []
    for node in graph.nodes {
      let isKnown = node.inputs.allSatisfy { input in
        guard let input else { return true }
        // The outputs of an unsupported operator have no reliable shape.
        return !unknown.contains(input)
          && (computed.contains(input) || table.constants[input] != nil || table.variables[input] != nil)
      }
      computed.insert(contentsOf: node.outputs)
      do {
        let (now, later) = isKnown ? try inference.run([node], table: table) : ([], [node])
        known += now
        for waiting in later {
          unknown.insert(contentsOf: waiting.outputs)
          for case let input? in waiting.inputs { needed.insert(input) }
        }
      } catch {
        try compiler.budget.check()
        unknown.insert(contentsOf: node.outputs)
        found.append(refusal(node, error))
      }
    }
    found += refusals(preparing: known, table, needed: needed)
    return found
  }

  /// Returns the refusals of operators with valid shapes that the results depend on. Other operators are never
  /// prepared.
  private func refusals(preparing nodes: [Node], _ table: ValueTable, needed: BitSet) -> [Refusal] {
    var nodes = nodes
    DeadCodeElimination.run(&nodes, table, needed)
    let memory = SlotAllocator()
    let packing = PackingBatch(compiler.packed)
    return nodes.compactMap { node in
      do {
        _ = try compiler.prepare(node, table, memory, packing)
        return nil
      } catch {
        return refusal(node, error)
      }
    }
  }

  private func refusal(_ node: Node, _ error: any Error) -> Refusal {
    guard let error = error as? RuntimeError else { return Refusal(location: node.location, reason: "\(error)") }
    return Refusal(location: error.location ?? node.location, reason: error.message)
  }
}

/// The estimated single-thread time of a node in nanoseconds. It comes from the node's stages, or, if they don't
/// specify it, from the time to read and write the tensors.
struct WorkEstimate {
  /// The time per stage, including stages without tiles.
  let stages: [Double]
  let total: Double

  /// The time per byte for operators that specify no work: they read and write their tensors a few times.
  private static let perByte = 0.5
  /// The time per multiply-add in matrix kernels. Stages that take longer specify their own work.
  private static let perMultiplyAdd = 0.02
  /// The overhead per step.
  private static let perStep = 50.0

  init(_ prepared: PreparedOperator, _ node: Node, _ memory: SlotAllocator, _ table: ValueTable) {
    var bytes = 0.0
    for case let input? in node.inputs { bytes += Double(table.specs[input].storedByteCount ?? 0) }
    for output in node.outputs { bytes += Double(table.specs[output].storedByteCount ?? 0) }
    for slot in memory.currentScratch {
      if case .scratch(let size) = memory.sources[slot.index] { bytes += Double(size) }
    }
    stages = prepared.stages.map { Self.perStep + ($0.work ?? bytes * Self.perByte) }
    total = max(stages.reduce(0, +), Double(prepared.multiplyAdds) * Self.perMultiplyAdd)
  }
}
