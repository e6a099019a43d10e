package import SwiftletFlatBuffers
/// The position of a value in `Graph.values`.
package typealias ValueID = Int

/// One operator of a graph with the values it reads and writes.
package struct Node: Sendable {
  package var location: RuntimeError.Location
  /// Tells it from all other nodes of the model, also where a subgraph is inlined more than once.
  package var number: Int
  package var operation: any Operator
  /// `nil` where an optional input is left out.
  package var inputs: [ValueID?]
  package var outputs: [ValueID]
  /// Tensors that only carry quantisation parameters for the operator's inside.
  package var intermediates: [ValueID?] = []
  /// By output the input that it takes the place of, where the model names one tensor as both. They are values of their
  /// own here.
  package var replacedInputs: [ValueID?] = []

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

/// The values of a graph: what they are, and which of them are known, stored or named.
package struct ValueSet: Sendable {
  package var specs: [TensorSpec] = []
  package var constants = ValueMap<ByteRegion>()
  /// Variable tensors, which keep their contents from run to run.
  package var variables = ValueMap<StateKey>()
  /// Resource-typed values and the resource variable they name.
  package var resources = ValueMap<StateKey>()
  /// Values that are quantised in blocks.
  package var blocks = ValueMap<BlockQuantization>()
}

/// A subgraph of a model with every operator parsed and every called subgraph inlined. Shapes are those of the file.
package struct Graph: Sendable {
  /// A named end of the graph.
  package struct Port: Sendable {
    package var name: String
    package var value: ValueID
  }

  package var values: ValueSet
  package var nodes: [Node]
  package var inputs: [Port]
  package var outputs: [Port]
  /// Subgraphs to run once per session before the first run.
  package var initializationSubgraphs: [Int]
  /// The subgraphs that control nodes run, and those that give variables their first values.
  package var callees = ValueMap<Graph>()
  /// The strings of constants; `nil` where the model has none.
  package var strings: StringPool?
  /// The bytes of the constants that were expanded for this graph and those that it calls.
  package var expandedByteCount = 0
}

/// The values of a graph while it is compiled.
final class ValueTable {
  private(set) var content: ValueSet
  /// Gives the bytes of a value computed earlier in the run that is under way.
  var runtimeData: (ValueID) throws -> UnsafeRawBufferPointer?
  /// What inferring shapes from values counts against.
  var budget: RunBudget?
  /// Variables and tables that nodes in front may change in the same program, so that nothing is known of them.
  var changedStates = StateMap<Bool>()
  /// The constants computed so far, in bytes.
  var foldedByteCount = 0

  init(_ content: ValueSet, runtimeData: @escaping (ValueID) throws -> UnsafeRawBufferPointer? = { _ in nil }) {
    self.content = content
    self.runtimeData = runtimeData
  }

  var specs: [TensorSpec] {
    get { content.specs }
    _modify { yield &content.specs }
  }
  var constants: ValueMap<ByteRegion> {
    get { content.constants }
    _modify { yield &content.constants }
  }
  var resources: ValueMap<StateKey> { content.resources }
  var variables: ValueMap<StateKey> { content.variables }
  var blocks: ValueMap<BlockQuantization> { content.blocks }
}
