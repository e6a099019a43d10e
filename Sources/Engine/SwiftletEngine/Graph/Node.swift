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
///
/// A copy shares its contents, because passes and compilation copy nodes far more often than they change them.
package struct Node: Sendable {
  private final class Contents: Sendable {
    let wiring: NodeWiring
    let operation: any Operator

    init(_ wiring: NodeWiring, _ operation: any Operator) {
      self.wiring = wiring
      self.operation = operation
    }
  }

  private var contents: Contents

  package init(
    location: RuntimeError.Location, number: Int, operation: any Operator, inputs: [ValueID?], outputs: [ValueID],
    intermediates: [ValueID?] = [], replacedInputs: [ValueID?] = []
  ) {
    contents = Contents(
      NodeWiring(
        location: location, number: number, inputs: inputs, outputs: outputs, intermediates: intermediates,
        replacedInputs: replacedInputs), operation)
  }

  /// All parts of the node except the operator.
  package private(set) var wiring: NodeWiring {
    get { contents.wiring }
    set { contents = Contents(newValue, contents.operation) }
  }
  package var operation: any Operator {
    get { contents.operation }
    set { contents = Contents(contents.wiring, newValue) }
  }
  package var location: RuntimeError.Location { contents.wiring.location }
  package var number: Int { contents.wiring.number }
  package var inputs: [ValueID?] {
    get { contents.wiring.inputs }
    set { wiring.inputs = newValue }
  }
  package var outputs: [ValueID] {
    get { contents.wiring.outputs }
    set { wiring.outputs = newValue }
  }
  package var replacedInputs: [ValueID?] { contents.wiring.replacedInputs }

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
    workerScratchBytes = memory.currentWorkerScratchBytes
    let (values, scratch, states) = (memory.currentValues, memory.currentScratch, memory.currentStates)
    let (inputs, outputs) = (node.inputs, node.outputs)
    // Arrays of their final size, because every other way of adding them allocates several.
    asked = []
    asked.reserveCapacity(values.count + scratch.count + states.count)
    asked += values
    asked += scratch
    asked += states
    reads = []
    reads.reserveCapacity(inputs.count)
    for case let input? in inputs { reads.append(memory.slot(of: input)) }
    writes = []
    writes.reserveCapacity(outputs.count + scratch.count)
    for output in outputs { writes.append(memory.slot(of: output)) }
    writes += scratch
    fresh = writes
    for case let input? in inputs where table.variables[input] != nil { writes.append(memory.slot(of: input)) }
    if !states.isEmpty { writes += states }
  }
}
