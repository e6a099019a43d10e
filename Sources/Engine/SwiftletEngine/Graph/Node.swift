/// A subgraph of a model with every operator parsed and every called subgraph inlined. Shapes are those of the file.
package struct Graph: Sendable {
  /// A named end of the graph.
  package struct Port: Sendable {
    package var name: String
    package var value: ValueID
    /// Whether somebody reads it after a run; `false` only for outputs.
    package var isRead = true
  }

  package var values: ValueSet
  package var nodes: [Node]
  package var inputs: [Port]
  package var outputs: [Port]
  /// Subgraphs to run once per session before the first run.
  package var initializationSubgraphs: [Int]
  /// The subgraphs that control nodes run, and those that give variables their first values.
  package var callees = ValueMap<Graph>()
  /// The strings of constants; `nil` if the model has none.
  package var strings: StringPool?
  /// The bytes of the constants that were expanded for this graph and those that it calls.
  package var expandedByteCount = 0
}

/// One operator of a graph with the values it reads and writes.
package struct Node: Sendable {
  /// Everything but the operator.
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

  /// Runs `body`, which works on this node; errors that do not say where they happened say so then.
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
  /// Creates the node as its operator sees it.
  init(node: Node, values: ValueTable) { self.init(node: node.wiring, values: values) }
}

/// What one node's steps read and write, by slot.
struct NodeAccess {
  var steps: Range<Int>
  var reads: [TensorSlot]
  var writes: [TensorSlot]
  /// Those of `reads` and `writes` that the node's `prepare` has asked for.
  var asked: [TensorSlot]
  /// Those of `writes` whose contents are undefined before: outputs and scratch memory.
  var fresh: [TensorSlot]
  var workerScratchBytes: Int

  /// - Parameter memory: What the node's `prepare` has just asked for memory.
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
