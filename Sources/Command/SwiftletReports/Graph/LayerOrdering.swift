/// Brings the vertices of each layer into an order in which few lines cross.
///
/// - Source: barycentre sweeps after Sugiyama, Tagawa, Toda; crossings counted with a tree of sums after "Simple and
///   Efficient Bilayer Cross Counting" (Barth, Jünger, Mutzel 2002).
enum LayerOrdering {
  private static let sweeps = 12

  static func reduceCrossings(_ graph: inout LayeredGraph) {
    var position = [Int](repeating: 0, count: graph.vertices.count)
    for layer in graph.layers { for (place, vertex) in layer.enumerated() { position[vertex] = place } }
    var best = graph.layers
    var fewest = crossings(graph, position)
    for sweep in 0..<sweeps where fewest > 0 {
      let isDown = sweep % 2 == 0
      for layer in isDown ? Array(graph.layers.indices) : graph.layers.indices.reversed() {
        sort(layer, of: &graph, by: isDown, &position)
      }
      let count = crossings(graph, position)
      if count < fewest {
        fewest = count
        best = graph.layers
      }
    }
    graph.layers = best
  }

  /// Sorts a layer by the mean place of its vertices' neighbours in the layer above, or below. Vertices without
  /// neighbours keep their places.
  private static func sort(_ layer: Int, of graph: inout LayeredGraph, by isDown: Bool, _ position: inout [Int]) {
    let vertices = graph.layers[layer]
    guard vertices.count > 1 else { return }
    let keys = vertices.enumerated().map { place, vertex in
      let joined = isDown ? graph.vertices[vertex].upper : graph.vertices[vertex].lower
      guard !joined.isEmpty else { return (mean: Double(place), place: place) }
      return (mean: Double(joined.reduce(0) { $0 + position[$1] }) / Double(joined.count), place: place)
    }
    let order = keys.indices.sorted { (keys[$0].mean, keys[$0].place) < (keys[$1].mean, keys[$1].place) }
    graph.layers[layer] = order.map { vertices[$0] }
    for (place, vertex) in graph.layers[layer].enumerated() { position[vertex] = place }
  }

  private static func crossings(_ graph: LayeredGraph, _ position: [Int]) -> Int {
    var count = 0
    for layer in graph.layers.indices.dropLast() {
      let width = graph.layers[layer + 1].count
      guard width > 1, graph.layers[layer].count > 1 else { continue }
      var sums = [Int](repeating: 0, count: width + 1)
      var total = 0
      for vertex in graph.layers[layer] {
        let ends = graph.vertices[vertex].lower.map { position[$0] }
        // Lines that came before and end further to the right cross this one.
        for end in ends {
          var before = 0
          var index = end + 1
          while index > 0 {
            before += sums[index]
            index -= index & -index
          }
          count += total - before
        }
        for end in ends {
          var index = end + 1
          while index <= width {
            sums[index] += 1
            index += index & -index
          }
          total += 1
        }
      }
    }
    return count
  }
}
