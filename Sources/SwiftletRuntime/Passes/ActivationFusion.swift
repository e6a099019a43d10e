/// Moves a float32 clamp that follows an operator into that operator.
enum ActivationFusion {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: Set<ValueID>) {
    var readers: [ValueID: Int] = [:]
    for node in nodes { for case let input? in node.inputs { readers[input, default: 0] += 1 } }
    var producers: [ValueID: Int] = [:]
    for (index, node) in nodes.enumerated() { for output in node.outputs { producers[output] = index } }
    var dropped: Set<Int> = []
    for index in nodes.indices {
      guard let activation = (nodes[index].operation as? any ActivationOperator)?.fusedActivation,
        let source = nodes[index].inputs.first ?? nil, let result = nodes[index].outputs.first,
        table.specs[source].elementType == .float32, table.specs[result].elementType == .float32,
        readers[source] == 1, !kept.contains(source), let producer = producers[source], !dropped.contains(producer),
        nodes[producer].outputs.count == 1,
        let fused = (nodes[producer].operation as? any FusesActivation)?.fusing(activation)
      else { continue }
      nodes[producer].operation = fused
      nodes[producer].outputs = [result]
      producers[result] = producer
      dropped.insert(index)
    }
    nodes = nodes.enumerated().filter { !dropped.contains($0.offset) }.map(\.element)
  }
}
