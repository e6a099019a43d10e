/// A graph whose lines lead from one layer to the next only: where a line passes a layer it has a bend there.
struct LayeredGraph {
  /// A node, or the bend of a line.
  struct Vertex {
    var layer: Int
    var width: Int
    var height: Int
    var isBend: Bool
    /// The length of the longest path through it; 0 for bends and for nodes beside the paths.
    var wayLength = 0
    /// Its neighbours in the layer above and in the layer below.
    var upper: [Int] = []
    var lower: [Int] = []
  }

  /// A net's bends, one in each layer from the one below its source on, and the readers that are reached.
  struct Chain {
    var bends: [Int] = []
    var targets: [Int] = []
    var omitted: [Int] = []
  }

  /// The nodes in their order, then the bends.
  private(set) var vertices: [Vertex]
  /// The vertices of each layer from left to right.
  var layers: [[Int]]
  private(set) var chains: [Chain]

  init(sizes: [GraphLayout.Size], nets: [GraphLayout.Net], assignment: LayerAssignment, lineLimit: Int) {
    let layerOfNode = assignment.layers
    vertices = sizes.enumerated().map { node, size in
      Vertex(
        layer: layerOfNode[node], width: size.width, height: size.height, isBend: false,
        wayLength: assignment.wayLengths[node])
    }
    layers = Array(repeating: [], count: (layerOfNode.max() ?? -1) + 1)
    chains = []
    chains.reserveCapacity(nets.count)
    let limit = Self.longestSpan(nets, layerOfNode, total: lineLimit)
    for net in nets {
      var chain = Chain()
      // A node may read a value twice; it is joined once.
      for target in Set(net.targets).sorted() {
        let span = layerOfNode[target] - layerOfNode[net.source]
        if target > net.source, span >= 1, span <= limit {
          chain.targets.append(target)
        } else {
          chain.omitted.append(target)
        }
      }
      let span = chain.targets.map { layerOfNode[$0] - layerOfNode[net.source] }.max() ?? 0
      var previous = net.source
      for layer in layerOfNode[net.source] + 1..<layerOfNode[net.source] + max(span, 1) {
        vertices.append(Vertex(layer: layer, width: 2, height: 0, isBend: true))
        chain.bends.append(vertices.count - 1)
        join(previous, vertices.count - 1)
        previous = vertices.count - 1
      }
      for target in chain.targets {
        let distance = layerOfNode[target] - layerOfNode[net.source]
        join(distance == 1 ? net.source : chain.bends[distance - 2], target)
      }
      chains.append(chain)
    }
    for (index, vertex) in vertices.enumerated() { layers[vertex.layer].append(index) }
  }

  private mutating func join(_ upper: Int, _ lower: Int) {
    vertices[upper].lower.append(lower)
    vertices[lower].upper.append(upper)
  }

  /// The longest line that is drawn, so that all those up to its length pass no more than `total` layers together.
  private static func longestSpan(_ nets: [GraphLayout.Net], _ layerOfNode: [Int], total: Int) -> Int {
    var layersBySpan = [Int](repeating: 0, count: (layerOfNode.max() ?? 0) + 2)
    for net in nets {
      let span = net.targets.filter { $0 > net.source }.map { layerOfNode[$0] - layerOfNode[net.source] }.max() ?? 0
      if span > 1 { layersBySpan[span] += span - 1 }
    }
    var sum = 0
    for (span, layers) in layersBySpan.enumerated() {
      sum += layers
      if sum > total { return max(span - 1, 1) }
    }
    return layersBySpan.count
  }
}
