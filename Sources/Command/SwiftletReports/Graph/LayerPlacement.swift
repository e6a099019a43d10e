/// Gives the vertices of ordered layers their horizontal places: lines as straight as possible, nothing on top of each
/// other.
///
/// Each layer is placed exactly so that the weighted sum of squared distances of its vertices from their wanted places
/// is least. In sweeps down and up, the place that a vertex wants is that of its neighbours in the layer before.
///
/// - Source: least squares under an order, by pooling neighbours that violate it (Ayer et al. 1955).
enum LayerPlacement {
  private static let sweeps = 8
  private static let nodeGap = 26.0
  private static let bendGap = 16.0

  /// The middles of all vertices, none with its left side left of the margin.
  static func centres(of graph: LayeredGraph) -> [Double] {
    var centres = [Double](repeating: 0, count: graph.vertices.count)
    for layer in graph.layers {
      let offsets = offsets(layer, graph)
      let middle = (offsets.last ?? 0) / 2
      for (place, vertex) in layer.enumerated() { centres[vertex] = offsets[place] - middle }
    }
    let longest = graph.vertices.reduce(0) { max($0, $1.wayLength) }
    for _ in 0..<sweeps {
      for layer in graph.layers.reversed() { place(layer, of: graph, isDown: false, longest: longest, &centres) }
      for layer in graph.layers { place(layer, of: graph, isDown: true, longest: longest, &centres) }
    }
    let left = graph.vertices.indices.map { centres[$0] - Double(graph.vertices[$0].width) / 2 }.min() ?? 0
    let shift = Double(GraphLayout.margin) - left.rounded(.down)
    return centres.map { $0 + shift }
  }

  /// How far each vertex of a layer is from the first at least.
  private static func offsets(_ layer: [Int], _ graph: LayeredGraph) -> [Double] {
    var sum = 0.0
    return layer.indices.map { place in
      guard place > 0 else { return 0 }
      let (left, right) = (graph.vertices[layer[place - 1]], graph.vertices[layer[place]])
      sum += Double(left.width + right.width) / 2 + (left.isBend || right.isBend ? bendGap : nodeGap)
      return sum
    }
  }

  private static func place(
    _ layer: [Int], of graph: LayeredGraph, isDown: Bool, longest: Int, _ centres: inout [Double]
  ) {
    let offsets = offsets(layer, graph)
    // Runs of neighbours that touch: the mean of what they want, less their offsets, and their weight.
    var runs: [(mean: Double, weight: Double, count: Int)] = []
    for (place, vertex) in layer.enumerated() {
      let row = graph.vertices[vertex]
      let joined = isDown ? row.upper : row.lower
      let wish = joined.isEmpty ? centres[vertex] : middle(of: joined, graph, centres)
      // The longer the path through a vertex, the more its place counts: short branches give way to the trunk.
      var run = (
        mean: wish - offsets[place], weight: row.wayLength == 0 ? 1.0 : 4 + 400 / Double(1 + longest - row.wayLength),
        count: 1
      )
      while let last = runs.last, last.mean > run.mean {
        runs.removeLast()
        let weight = last.weight + run.weight
        run = ((last.mean * last.weight + run.mean * run.weight) / weight, weight, last.count + run.count)
      }
      runs.append(run)
    }
    var place = 0
    for run in runs {
      for _ in 0..<run.count {
        centres[layer[place]] = run.mean + offsets[place]
        place += 1
      }
    }
  }

  /// The place of the vertex on the longest path, or the middle of those on equally long ones: a trunk stays straight,
  /// and other lines go round it.
  private static func middle(of vertices: [Int], _ graph: LayeredGraph, _ centres: [Double]) -> Double {
    let longest = vertices.reduce(0) { max($0, graph.vertices[$1].wayLength) }
    let places = vertices.filter { graph.vertices[$0].wayLength == longest }.map { centres[$0] }.sorted()
    let half = places.count / 2
    return places.count % 2 == 1 ? places[half] : (places[half - 1] + places[half]) / 2
  }
}
