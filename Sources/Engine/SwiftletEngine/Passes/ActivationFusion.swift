/// Moves a float32 clamp that follows an operator into that operator.
enum ActivationFusion {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) {
    var uses = NodeUses(nodes, valueCount: table.specs.count)
    var dropped = BitSet(count: nodes.count)
    for index in nodes.indices {
      guard let activation = nodes[index].operation.fusion.activation?.fusedActivation,
        let source = nodes[index].inputs.first ?? nil, let result = nodes[index].outputs.first,
        table.specs[source].elementType == .float32, table.specs[result].elementType == .float32,
        uses.readers[source] == 1, !kept.contains(source), let producer = uses.producers[source],
        !dropped.contains(producer),
        nodes[producer].outputs.count == 1,
        let fused = nodes[producer].operation.fusion.fusingActivation?.fusing(activation)
      else { continue }
      nodes[producer].operation = fused
      nodes[producer].outputs = [result]
      uses.producers[result] = producer
      dropped.insert(index)
    }
    nodes.remove(at: dropped)
  }
}
