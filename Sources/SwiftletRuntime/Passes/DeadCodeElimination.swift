/// Drops nodes whose outputs nobody reads.
enum DeadCodeElimination {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: Set<ValueID>) {
    var needed = kept
    var live: [Node] = []
    for node in nodes.reversed() {
      let touchesVariable = node.inputs.contains { $0.map { table.variables[$0] != nil } ?? false }
      let isLive = !node.operation.isPure || touchesVariable || node.outputs.contains(where: needed.contains)
      guard isLive else { continue }
      needed.formUnion(node.inputs.compactMap { $0 })
      live.append(node)
    }
    nodes = live.reversed()
  }
}
