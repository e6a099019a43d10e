/// Assigns horizontal positions to the vertices of ordered layers, so that lines are as straight as possible and
/// nothing overlaps.
///
/// Each layer's positions minimize the weighted sum of squared distances from the desired positions. In sweeps down and
/// up, the desired position of a vertex comes from its neighbors in the previous layer.
///
/// - Source: Least squares under an order, by pooling adjacent violators (Ayer et al. 1955).
enum LayerPlacement {
  private static let sweeps = 8
  private static let nodeGap = 26.0
  private static let bendGap = 16.0

  /// Returns the centers of all vertices, none with its left side left of the margin.
  static func centers(of graph: LayeredGraph) -> [Double] {
    var centers = [Double](repeating: 0, count: graph.vertices.count)
    for layer in graph.layers {
      let offsets = offsets(layer, graph)
      let middle = (offsets.last ?? 0) / 2
      for (place, vertex) in layer.enumerated() { centers[vertex] = offsets[place] - middle }
    }
    let longest = graph.vertices.reduce(0) { max($0, $1.wayLength) }
    for _ in 0..<sweeps {
      for layer in graph.layers.reversed() { place(layer, of: graph, isDown: false, longest: longest, &centers) }
      for layer in graph.layers { place(layer, of: graph, isDown: true, longest: longest, &centers) }
    }
    let left = graph.vertices.indices.map { centers[$0] - Double(graph.vertices[$0].width) / 2 }.min() ?? 0
    let shift = Double(GraphLayout.margin) - left.rounded(.down)
    return centers.map { $0 + shift }
  }

  /// Returns the minimum distance of each vertex of a layer from the first.
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
    _ layer: [Int], of graph: LayeredGraph, isDown: Bool, longest: Int, _ centers: inout [Double]
  ) {
    let offsets = offsets(layer, graph)
    // Runs of touching neighbors: the mean of their desired positions minus their offsets, and their weight.
    var runs: [(mean: Double, weight: Double, count: Int)] = []
    for (place, vertex) in layer.enumerated() {
      let row = graph.vertices[vertex]
      let joined = isDown ? row.upper : row.lower
      let wish = joined.isEmpty ? centers[vertex] : middle(of: joined, graph, centers)
      // The longer the path through a vertex, the higher its weight, so short branches give way to the trunk.
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
        centers[layer[place]] = run.mean + offsets[place]
        place += 1
      }
    }
  }

  /// Returns the position of the vertex on the longest path, or the mean of the vertices on equally long paths. A trunk
  /// stays straight, and other lines bend around it.
  private static func middle(of vertices: [Int], _ graph: LayeredGraph, _ centers: [Double]) -> Double {
    let longest = vertices.reduce(0) { max($0, graph.vertices[$1].wayLength) }
    let places = vertices.filter { graph.vertices[$0].wayLength == longest }.map { centers[$0] }.sorted()
    let half = places.count / 2
    return places.count % 2 == 1 ? places[half] : (places[half - 1] + places[half]) / 2
  }
}

/// Orders the vertices of each layer to reduce the number of line crossings.
///
/// - Source: Barycenter sweeps after Sugiyama, Tagawa, Toda; crossings are counted with a tree of sums after "Simple
///   and Efficient Bilayer Cross Counting" (Barth, Jünger, Mutzel 2002).
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

  /// Sorts a layer by the mean position of its vertices' neighbors in the layer above or below. Vertices without
  /// neighbors keep their positions.
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
        // Previous lines that end farther to the right cross this line.
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

/// The layer of each node of a graph: one below the lowest node that it reads from.
struct LayerAssignment {
  private(set) var layers: [Int]
  /// The number of layers on the longest path through each node. It's largest on the graph's trunk, and 0 for floating
  /// nodes.
  private(set) var wayLengths: [Int]

  /// Creates the assignment.
  ///
  /// - Parameter floating: The nodes that move down to just above their first reader, unless they read from nodes that
  ///   aren't floating.
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
