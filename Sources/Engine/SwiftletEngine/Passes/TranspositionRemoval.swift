/// Does away with transpositions around nodes that any order of the axes will do for.
///
/// Models that were converted from channels-first frameworks transpose before and behind every convolution. Between two
/// of them there are activations, arithmetic, padding and concatenations, which work as well on what the first
/// transposition reads; then the second has nothing left to do, and convolutions take over the padding and the
/// activations next to them. Values stay the same to the bit, in another place.
enum TranspositionRemoval {
  /// Chains of regions are taken one after the other; a model has two or three in a row.
  private static let mostRounds = 8

  /// Graphs whose nodes have more inputs stay as they are: the work grows with the square of the number. Networks have some
  /// thousand.
  private static let mostInputs = 1 << 13

  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) throws {
    guard nodes.reduce(0, { $0 + $1.inputs.count }) <= mostInputs else { return }
    for _ in 0..<mostRounds {
      guard nodes.contains(where: { if case .transposition = $0.operation.axisRule { true } else { false } }) else {
        return
      }
      var graph = try TransposedGraph(nodes, table, kept)
      var isChanged = false
      for region in graph.regions() where try graph.reorder(region) { isChanged = true }
      guard isChanged else { return }
      nodes = graph.result
      DeadCodeElimination.run(&nodes, table, kept)
    }
  }
}
