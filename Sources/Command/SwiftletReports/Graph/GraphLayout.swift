/// Where the nodes of a directed graph are drawn, and the lines between them: in layers from top to bottom.
///
/// A node lies below everything it reads. Lines lead downwards only, past other nodes and not through them. A value
/// that several nodes read is one line with branches, not one line for each of them.
///
/// - Units: pixels of a drawing at its natural size, the origin at its top left.
/// - Complexity: O((n + e) log n) for n nodes and e readers, with a fixed number of sweeps. Lines take room in every
///   layer they pass, so there is a limit to what they may take together: the longest are left out beyond it
///   (`Route.omitted`).
/// - Source: "Methods for Visual Understanding of Hierarchical System Structures" (Sugiyama, Tagawa, Toda 1981).
package struct GraphLayout: Sendable {
  package struct Size: Sendable, Hashable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// A value: who makes it, and who reads it.
  package struct Net: Sendable, Hashable {
    package var source: Int
    package var targets: [Int]

    package init(source: Int, targets: [Int]) {
      self.source = source
      self.targets = targets
    }
  }

  package struct Point: Sendable, Hashable {
    package var x: Int
    package var y: Int

    package init(x: Int, y: Int) {
      self.x = x
      self.y = y
    }
  }

  package struct Rectangle: Sendable, Hashable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int
  }

  /// How a net is drawn.
  package struct Route: Sendable, Hashable {
    /// Each from top to bottom; between two points of different `x` the line curves.
    package var lines: [[Point]] = []
    /// Where it reaches a reader, at the middle of its upper side.
    package var ends: [Point] = []
    /// Readers without a line.
    package var omitted: [Int] = []
  }

  /// In the order of the nodes that were given.
  package private(set) var nodes: [Rectangle]
  /// In the order of the nets that were given.
  package private(set) var routes: [Route]
  package private(set) var width: Int
  package private(set) var height: Int

  static let margin = 24

  /// - Parameters:
  ///   - nodes: in an order in which values are made before they are read; what reads against it gets no line.
  ///   - nets: sources and targets are positions in `nodes`.
  ///   - floating: nodes that are drawn just above their first reader instead of as high as possible, if they read
  ///     nothing else than floating nodes' values.
  ///   - lineLimit: how many layers all lines together may pass.
  package init(nodes sizes: [Size], nets: [Net], floating: Set<Int> = [], lineLimit: Int = 30_000) {
    let assignment = LayerAssignment(nodeCount: sizes.count, nets: nets, floating: floating)
    let layerOfNode = assignment.layers
    var graph = LayeredGraph(sizes: sizes, nets: nets, assignment: assignment, lineLimit: lineLimit)
    LayerOrdering.reduceCrossings(&graph)
    let centers = LayerPlacement.centers(of: graph)

    // Vertical: layers as high as their highest node, with more room between them where lines have far to go.
    var tops: [Int] = []
    var bottoms: [Int] = []
    var y = Self.margin
    for (index, layer) in graph.layers.enumerated() {
      let height = layer.map { graph.vertices[$0].height }.max() ?? 0
      tops.append(y)
      bottoms.append(y + height)
      var reach = 0.0
      for vertex in layer {
        for lower in graph.vertices[vertex].lower { reach = max(reach, abs(centers[vertex] - centers[lower])) }
      }
      y += height + (index + 1 < graph.layers.count ? Int(min(28 + reach * 0.08, 110)) : 0)
    }
    height = y + Self.margin

    var rightmost = 0
    nodes = sizes.enumerated().map { index, size in
      let layer = layerOfNode[index]
      let x = Int(centers[index].rounded()) - size.width / 2
      rightmost = max(rightmost, x + size.width)
      return Rectangle(
        x: x, y: tops[layer] + (bottoms[layer] - tops[layer] - size.height) / 2, width: size.width, height: size.height)
    }
    for vertex in sizes.count..<max(graph.vertices.count, sizes.count) {
      rightmost = max(rightmost, Int(centers[vertex].rounded()))
    }
    width = rightmost + Self.margin

    let router = Router(graph: graph, centers: centers, tops: tops, bottoms: bottoms, nodes: nodes)
    routes = nets.indices.map { router.route($0, source: nets[$0].source) }
  }
}

/// Turns the places of a net's bends into lines.
private struct Router {
  let graph: LayeredGraph
  let centers: [Double]
  let tops: [Int]
  let bottoms: [Int]
  let nodes: [GraphLayout.Rectangle]

  private func x(_ vertex: Int) -> Int { Int(centers[vertex].rounded()) }

  func route(_ net: Int, source: Int) -> GraphLayout.Route {
    let chain = graph.chains[net]
    var route = GraphLayout.Route(omitted: chain.omitted)
    guard !chain.targets.isEmpty else { return route }
    let layer = graph.vertices[source].layer
    if !chain.bends.isEmpty {
      var trunk = start(at: source)
      for bend in chain.bends {
        let bendLayer = graph.vertices[bend].layer
        append(GraphLayout.Point(x: x(bend), y: tops[bendLayer]), to: &trunk)
        append(GraphLayout.Point(x: x(bend), y: bottoms[bendLayer]), to: &trunk)
      }
      route.lines.append(trunk)
    }
    for target in chain.targets {
      let distance = graph.vertices[target].layer - layer
      let end = GraphLayout.Point(x: x(target), y: nodes[target].y)
      var line: [GraphLayout.Point]
      if distance == 1 {
        line = start(at: source)
      } else {
        let bend = chain.bends[distance - 2]
        line = [GraphLayout.Point(x: x(bend), y: bottoms[graph.vertices[bend].layer])]
      }
      append(GraphLayout.Point(x: end.x, y: tops[graph.vertices[target].layer]), to: &line)
      append(end, to: &line)
      route.lines.append(line)
      route.ends.append(end)
    }
    return route
  }

  private func start(at node: Int) -> [GraphLayout.Point] {
    var line = [GraphLayout.Point(x: x(node), y: nodes[node].y + nodes[node].height)]
    append(GraphLayout.Point(x: x(node), y: bottoms[graph.vertices[node].layer]), to: &line)
    return line
  }

  /// Leaves out points that a straight line passes anyway.
  private func append(_ point: GraphLayout.Point, to line: inout [GraphLayout.Point]) {
    if line.last == point { return }
    if line.count >= 2, line[line.count - 1].x == point.x, line[line.count - 2].x == point.x { line.removeLast() }
    line.append(point)
  }
}
