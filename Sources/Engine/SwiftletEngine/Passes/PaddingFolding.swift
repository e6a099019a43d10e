/// Lets convolutions read the unpadded image when a padding node only feeds them.
///
/// - Source: the rewrite that XNNPACK's subgraph optimiser applies to constant padding before a convolution.
enum PaddingFolding {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) throws {
    let uses = NodeUses(nodes, valueCount: table.specs.count)
    var dropped = BitSet(count: nodes.count)
    for index in nodes.indices {
      guard let convolution = nodes[index].operation.fusion.convolution, let padded = nodes[index].inputs.first ?? nil,
        uses.readers[padded] == 1, !kept.contains(padded), let producer = uses.producers[padded],
        let padding = nodes[producer].operation.fusion.padding, isSteady(nodes[producer], table),
        let amount = try padding.foldablePadding(NodeView(node: nodes[producer], values: table)),
        let folded = convolution.folding(amount)
      else { continue }
      nodes[index].operation = folded
      nodes[index].inputs[0] = nodes[producer].inputs[0]
      dropped.insert(producer)
    }
    nodes.remove(at: dropped)
  }

  /// Whether the node reads the same whenever it runs: a variable may have another value by the time of the
  /// convolution.
  private static func isSteady(_ node: Node, _ table: ValueTable) -> Bool {
    node.inputs.allSatisfy { $0.map { table.variables[$0] == nil } ?? true }
  }
}
