/// Lets sums and means square what they read, instead of a multiplication in front of them that writes all squares.
///
/// Normalisations by the root of the mean square begin like this.
enum SquareFusion {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) throws {
    let uses = NodeUses(nodes, valueCount: table.specs.count)
    var dropped = BitSet(count: nodes.count)
    for index in nodes.indices {
      guard let reduction = nodes[index].operation.fusion.squaring, let squares = nodes[index].inputs.first ?? nil,
        uses.readers[squares] == 1, !kept.contains(squares), let producer = uses.producers[squares],
        nodes[producer].inputs.count == 2, let source = nodes[producer].inputs[0], nodes[producer].inputs[1] == source,
        table.variables[source] == nil, table.specs[source].elementType == .float32,
        let multiplication = nodes[producer].operation.fusion.epilogueOperator,
        case .binary(.multiply, _, isVector: false, clamp: .none)? = try multiplication.epilogueStep(
          NodeView(node: nodes[producer], values: table), ofInput: 0),
        let squaring = try reduction.squaring(NodeView(node: nodes[index], values: table))
      else { continue }
      nodes[index].operation = squaring
      nodes[index].inputs[0] = source
      dropped.insert(producer)
    }
    nodes.remove(at: dropped)
  }
}
