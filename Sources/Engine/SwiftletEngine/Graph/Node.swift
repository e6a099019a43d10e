/// A subgraph of a model with all operators parsed and all called subgraphs inlined. Shapes are those in the file.
package struct Graph: Sendable {
  /// A named input or output of the graph.
  package struct Port: Sendable {
    package var name: String
    package var value: ValueID
    /// Whether the value is read after a run; `false` only for outputs.
    package var isRead = true
  }

  package var values: ValueSet
  package var nodes: [Node]
  package var inputs: [Port]
  package var outputs: [Port]
  /// The subgraphs to run once per session before the first run.
  package var initializationSubgraphs: [Int]
  /// The subgraphs that control nodes run, and the subgraphs that initialize variables.
  package var callees = ValueMap<Graph>()
  /// The strings of constants; `nil` if the model has none.
  package var strings: StringPool?
  /// The size, in bytes, of the constants that were expanded for this graph and its called graphs.
  package var expandedByteCount = 0
}

/// One operator of a graph with the values that it reads and writes.
package struct Node: Sendable {
  /// All parts of the node except the operator.
  package private(set) var wiring: NodeWiring
  package var operation: any Operator

  package init(
    location: RuntimeError.Location, number: Int, operation: any Operator, inputs: [ValueID?], outputs: [ValueID],
    intermediates: [ValueID?] = [], replacedInputs: [ValueID?] = []
  ) {
    wiring = NodeWiring(
      location: location, number: number, inputs: inputs, outputs: outputs, intermediates: intermediates,
      replacedInputs: replacedInputs)
    self.operation = operation
  }

  package var location: RuntimeError.Location { wiring.location }
  package var number: Int { wiring.number }
  package var inputs: [ValueID?] {
    get { wiring.inputs }
    _modify { yield &wiring.inputs }
  }
  package var outputs: [ValueID] {
    get { wiring.outputs }
    _modify { yield &wiring.outputs }
  }
  package var replacedInputs: [ValueID?] { wiring.replacedInputs }

  /// Runs `body`, which works on this node, and adds the node's location to errors that have none.
  func locatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch var error as RuntimeError where error.location == nil {
      error.location = location
      throw error
    }
  }
}

extension NodeView {
  /// Creates a view of the node for its operator.
  init(node: Node, values: ValueTable) { self.init(node: node.wiring, values: values) }
}

/// The slots that the steps of one node read and write.
struct NodeAccess {
  var steps: Range<Int>
  var reads: [TensorSlot]
  var writes: [TensorSlot]
  /// The slots in `reads` and `writes` that the node's `prepare` requested.
  var asked: [TensorSlot]
  /// The slots in `writes` whose contents are initially undefined: outputs and scratch memory.
  var fresh: [TensorSlot]
  var workerScratchBytes: Int

  /// Creates the access of a node.
  ///
  /// - Parameter memory: The allocator with the latest requests of the node's `prepare`.
  init(_ node: Node, steps: Range<Int>, _ memory: SlotAllocator, _ table: ValueTable) {
    self.steps = steps
    asked = memory.currentValues + memory.currentScratch + memory.currentStates
    workerScratchBytes = memory.currentWorkerScratchBytes
    let read = node.inputs.compactMap { $0 }
    let variables = read.filter { table.variables[$0] != nil }
    reads = read.map(memory.slot(of:))
    fresh = node.outputs.map(memory.slot(of:)) + memory.currentScratch
    writes = fresh + variables.map(memory.slot(of:)) + memory.currentStates
  }
}
