/// Moves a clamp of quantised values that follows a convolution into it, where both tensors mean the same by their
/// quantised values.
enum QuantizedClampFusion {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) throws {
    var uses = NodeUses(nodes, valueCount: table.specs.count)
    var dropped = BitSet(count: nodes.count)
    for index in nodes.indices {
      guard let operation = nodes[index].operation.fusion.quantizedClamp, nodes[index].outputs.count == 1,
        let clamp = try operation.quantizedClamp(NodeView(node: nodes[index], values: table)),
        let source = nodes[index].inputs[clamp.input], uses.readers[source] == 1, !kept.contains(source),
        table.specs[source].quantization == table.specs[nodes[index].outputs[0]].quantization,
        let producer = uses.producers[source], let convolution = nodes[producer].operation.fusion.convolution,
        nodes[producer].outputs.count == 1
      else { continue }
      nodes[producer].operation = convolution.clamping(clamp.quantized)
      nodes[producer].outputs = nodes[index].outputs
      uses.producers[nodes[index].outputs[0]] = producer
      dropped.insert(index)
    }
    nodes.remove(at: dropped)
  }
}
