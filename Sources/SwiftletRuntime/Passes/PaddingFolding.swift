/// Lets convolutions read the unpadded picture when a padding node only feeds them.
///
/// - Source: the rewrite that XNNPACK's subgraph optimiser applies to constant padding before a convolution.
enum PaddingFolding {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: Set<ValueID>) throws {
    var readers: [ValueID: Int] = [:]
    for node in nodes { for case let input? in node.inputs { readers[input, default: 0] += 1 } }
    var producers: [ValueID: Int] = [:]
    for (index, node) in nodes.enumerated() { for output in node.outputs { producers[output] = index } }
    var dropped: Set<Int> = []
    for index in nodes.indices {
      guard let convolution = nodes[index].operation as? any FoldsPadding, let padded = nodes[index].inputs.first ?? nil,
        readers[padded] == 1, !kept.contains(padded), let producer = producers[padded],
        let padding = nodes[producer].operation as? any PaddingOperator,
        let amount = try padding.foldablePadding(NodeView(node: nodes[producer], values: table)),
        let folded = convolution.folding(amount)
      else { continue }
      nodes[index].operation = folded
      nodes[index].inputs[0] = nodes[producer].inputs[0]
      dropped.insert(producer)
    }
    nodes = nodes.enumerated().filter { !dropped.contains($0.offset) }.map(\.element)
  }
}
