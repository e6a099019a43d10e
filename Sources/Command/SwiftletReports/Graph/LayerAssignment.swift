/// Which layer each node of a graph lies in: one below the lowest that it reads from.
struct LayerAssignment {
  private(set) var layers: [Int]
  /// The number of layers on the longest path through each node: largest on the graph's trunk. 0 for floating nodes.
  private(set) var wayLengths: [Int]

  /// - Parameter floating: nodes that move down to just above their first reader, unless they read what is not
  ///   floating.
  init(nodeCount: Int, nets: [GraphLayout.Net], floating: Set<Int>) {
    var readersOf = [[Int]](repeating: [], count: nodeCount)
    layers = [Int](repeating: 0, count: nodeCount)
    wayLengths = layers
    var floats = (0..<nodeCount).map(floating.contains)
    for net in nets { readersOf[net.source] += net.targets.filter { $0 > net.source } }
    for node in 0..<nodeCount {
      for reader in readersOf[node] {
        layers[reader] = max(layers[reader], layers[node] + 1)
        if !floats[node] { floats[reader] = false }
      }
    }
    var lengthsBelow = layers.map { _ in 0 }
    for node in (0..<nodeCount).reversed() {
      lengthsBelow[node] = readersOf[node].reduce(0) { max($0, lengthsBelow[$1] + 1) }
      if !floats[node] {
        wayLengths[node] = layers[node] + lengthsBelow[node] + 1
      } else if let first = readersOf[node].map({ layers[$0] }).min() {
        layers[node] = max(first - 1, 0)
      }
    }
  }
}
