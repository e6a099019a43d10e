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
  /// The strings of constants; `nil` where the model has none.
  package var strings: StringPool?
  /// The bytes of the constants that were expanded for this graph and those that it calls.
  package var expandedByteCount = 0
}
