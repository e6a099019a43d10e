/// Finds every operator of a graph that refuses what the model gives it: types that do not go together, missing
/// quantization, sizes that do not fit.
///
/// A compilation stops at the first refusal; this goes on with all operators whose inputs are known without the refused
/// one. Nothing is run but what follows from constants.
struct SupportAnalysis {
  /// An operator that refuses, and why.
  struct Refusal {
    var location: RuntimeError.Location
    var reason: String
  }

  private let compiler: ProgramCompiler

  /// - Parameters:
  ///   - fileBytes: The size of the model file.
  ///   - budget: What all surveys of a model together may take.
  init(options: RuntimeOptions, fileBytes: Int, budget: RunBudget) {
    let memory = MemoryBudget(limit: options.limits.sessionBytes)
    compiler = ProgramCompiler(
      options: options, kernels: .current,
      packed: PackedConstants(options.limits, fileBytes: fileBytes, memory: memory),
      budget: budget, memory: memory)
  }

  /// Returns the refusals in `graph` and in the subgraphs that it runs.
  ///
  /// - Throws: what ends every load: the deadline, and the cancellation of the task.
  func refusals(in graph: Graph) throws -> [Refusal] {
    try compiler.budget.spend(RunBudget.compilingWork(nodes: graph.nodes.count), at: graph.nodes.first?.location)
    var found = try refusals(in: graph, unknown: BitSet())
    for subgraph in graph.callees.keys {
      guard let callee = graph.callees[subgraph] else { continue }
      try compiler.budget.spend(RunBudget.compilingWork(nodes: callee.nodes.count), at: callee.nodes.first?.location)
      // What a subgraph is called with has the shapes of the call, not those of the file.
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
        // What an operator that is not there would have computed has no shape that could be relied on.
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

  /// Returns the refusals of operators whose shapes are right; of those that the results need, as the others are never
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
