/// A layered drawing of a directed graph, from top to bottom: the positions of its nodes and the lines between them.
///
/// A node is below everything it reads. Lines only lead downward, and pass nodes without crossing them. A value with
/// several readers is one branching line.
///
/// - Units: Pixels of a drawing at its natural size, with the origin at the top left.
/// - Complexity: O((n + e) log n) for n nodes and e readers, with a fixed number of sweeps. Lines occupy space in every
///   layer they pass, so their total length is limited; the longest lines beyond the limit are omitted
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

  /// A value with its producer and its readers.
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

  /// The drawing of a net.
  package struct Route: Sendable, Hashable {
    /// The points of each line from top to bottom. The line curves between two points with different `x`.
    package var lines: [[Point]] = []
    /// The points where the line reaches a reader, at the middle of its upper side.
    package var ends: [Point] = []
    /// The readers without a line.
    package var omitted: [Int] = []
  }

  /// The rectangles of the nodes, in the order of the initializer's argument.
  package private(set) var nodes: [Rectangle]
  /// The routes of the nets, in the order of the initializer's argument.
  package private(set) var routes: [Route]
  package private(set) var width: Int
  package private(set) var height: Int

  static let margin = 24

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - nodes: The nodes in topological order. A reader that precedes its producer gets no line.
  ///   - nets: The nets, whose sources and targets are indices in `nodes`.
  ///   - floating: The nodes to draw just above their first reader instead of as high as possible, if they only read
  ///     values of floating nodes.
  ///   - lineLimit: The maximum number of layers that all lines together can pass.
  package init(nodes sizes: [Size], nets: [Net], floating: Set<Int> = [], lineLimit: Int = 30_000) {
    let assignment = LayerAssignment(nodeCount: sizes.count, nets: nets, floating: floating)
    let layerOfNode = assignment.layers
    var graph = LayeredGraph(sizes: sizes, nets: nets, assignment: assignment, lineLimit: lineLimit)
    LayerOrdering.reduceCrossings(&graph)
    let centers = LayerPlacement.centers(of: graph)

    // Vertical positions: each layer is as high as its highest node, with wider gaps where lines cross long distances.
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

/// Converts the positions of a net's bends into lines.
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

  /// Appends a point, without the points that a straight line passes anyway.
  private func append(_ point: GraphLayout.Point, to line: inout [GraphLayout.Point]) {
    if line.last == point { return }
    if line.count >= 2, line[line.count - 1].x == point.x, line[line.count - 2].x == point.x { line.removeLast() }
    line.append(point)
  }
}
