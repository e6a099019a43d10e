/// Drops nodes whose outputs nobody reads.
enum DeadCodeElimination {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) {
    var needed = kept
    var live: [Node] = []
    for node in nodes.reversed() {
      let touchesVariable = node.inputs.contains { $0.map { table.variables[$0] != nil } ?? false }
      let isLive = !node.operation.isPure || touchesVariable || node.outputs.contains(where: needed.contains)
      guard isLive else { continue }
      for case let input? in node.inputs { needed.insert(input) }
      live.append(node)
    }
    nodes = live.reversed()
  }
}
