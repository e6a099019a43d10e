import SwiftletReports
import Testing

@Suite("Graph layout")
struct GraphLayoutTests {
  /// Returns a graph similar to a network: mostly a chain, with branches, joins, long lines, and nodes of many sizes.
  private static func graph(nodeCount: Int, seed: UInt64) -> (sizes: [GraphLayout.Size], nets: [GraphLayout.Net]) {
    var state = seed
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let sizes = (0..<nodeCount).map { _ in GraphLayout.Size(width: 80 + 2 * random(80), height: 30 + random(40)) }
    var readers = [[Int]](repeating: [], count: nodeCount)
    for node in 1..<nodeCount {
      readers[node - 1 - random(min(node, 3))].append(node)
      if random(4) == 0 { readers[node - 1 - random(min(node, 80))].append(node) }
    }
    return (sizes, readers.enumerated().filter { !$1.isEmpty }.map { GraphLayout.Net(source: $0, targets: $1) })
  }

  private static let cases: [(nodes: Int, seed: UInt64)] = [(2, 1), (10, 2), (60, 3), (60, 4), (300, 5), (1500, 6)]

  @Test("readers are below producers, and lines only lead downward", arguments: cases)
  func downwards(nodes: Int, seed: UInt64) {
    let (sizes, nets) = Self.graph(nodeCount: nodes, seed: seed)
    let layout = GraphLayout(nodes: sizes, nets: nets)
    for (net, route) in zip(nets, layout.routes) {
      let source = layout.nodes[net.source]
      for target in net.targets { #expect(layout.nodes[target].y >= source.y + source.height) }
      for line in route.lines {
        #expect(line.count >= 2)
        for (upper, lower) in zip(line, line.dropFirst()) { #expect(upper.y < lower.y) }
        #expect(line[0].y >= source.y + source.height)
      }
      // Every line ends at the center of its reader's upper side.
      #expect(
        Set(route.ends)
          == Set(
            net.targets.map {
              GraphLayout.Point(x: layout.nodes[$0].x + layout.nodes[$0].width / 2, y: layout.nodes[$0].y)
            }))
      #expect(route.omitted.isEmpty)
    }
  }

  @Test("nodes don't overlap, and are inside the drawing", arguments: cases)
  func apart(nodes: Int, seed: UInt64) {
    let (sizes, nets) = Self.graph(nodeCount: nodes, seed: seed)
    let layout = GraphLayout(nodes: sizes, nets: nets)
    let sorted = layout.nodes.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
    for (index, first) in sorted.enumerated() {
      #expect(
        first.x >= 0 && first.y >= 0 && first.x + first.width <= layout.width && first.y + first.height <= layout.height
      )
      for second in sorted[(index + 1)...] {
        if second.y >= first.y + first.height { break }
        #expect(first.x + first.width <= second.x || second.x + second.width <= first.x)
      }
    }
  }

  @Test("lines do not cross nodes", arguments: cases)
  func besideNodes(nodes: Int, seed: UInt64) {
    let (sizes, nets) = Self.graph(nodeCount: nodes, seed: seed)
    let layout = GraphLayout(nodes: sizes, nets: nets)
    for route in layout.routes {
      for line in route.lines {
        for (upper, lower) in zip(line, line.dropFirst()) where upper.x == lower.x {
          for node in layout.nodes where node.x < upper.x && upper.x < node.x + node.width {
            #expect(lower.y <= node.y || upper.y >= node.y + node.height)
          }
        }
      }
    }
  }

  @Test("a chain is a straight column")
  func chain() {
    let sizes = (0..<40).map { GraphLayout.Size(width: 80 + $0 % 7 * 10, height: 40) }
    let layout = GraphLayout(nodes: sizes, nets: (0..<39).map { GraphLayout.Net(source: $0, targets: [$0 + 1]) })
    #expect(Set(layout.nodes.map { $0.x + $0.width / 2 }).count == 1)
    #expect(layout.routes.allSatisfy { $0.lines.count == 1 && $0.lines[0].count == 2 })
  }

  @Test("lines do not cross unnecessarily")
  func crossings() {
    // Two ladders with alternating node numbers: side by side, no lines cross.
    let nets = (0..<18).map { GraphLayout.Net(source: $0, targets: [$0 + 2]) }
    let layout = GraphLayout(nodes: Array(repeating: GraphLayout.Size(width: 60, height: 30), count: 20), nets: nets)
    for layer in stride(from: 0, to: 18, by: 2) {
      #expect((layout.nodes[layer].x < layout.nodes[layer + 1].x) == (layout.nodes[0].x < layout.nodes[1].x))
    }
  }

  @Test("nodes that prepare a constant are just above its reader")
  func floatingNodes() {
    // 0 → 1 → 2 → 3, and only 3 reads 4.
    let sizes = Array(repeating: GraphLayout.Size(width: 60, height: 30), count: 6)
    let nets = [(0, 1), (1, 2), (2, 3), (4, 5), (3, 5)].map { GraphLayout.Net(source: $0, targets: [$1]) }
    let layout = GraphLayout(nodes: sizes, nets: nets, floating: [4])
    #expect(layout.nodes[4].y == layout.nodes[3].y && layout.nodes[5].y > layout.nodes[3].y)
    #expect(GraphLayout(nodes: sizes, nets: nets).nodes[4].y == layout.nodes[0].y)
  }

  @Test("lines beyond the limit are omitted, longest first, and are marked")
  func lineLimit() {
    let sizes = Array(repeating: GraphLayout.Size(width: 60, height: 30), count: 100)
    var nets = (0..<99).map { GraphLayout.Net(source: $0, targets: [$0 + 1]) }
    for node in 0..<40 { nets[node].targets.append(99 - node / 2) }
    let layout = GraphLayout(nodes: sizes, nets: nets, lineLimit: 500)
    let omitted = zip(nets, layout.routes).filter { !$1.omitted.isEmpty }
    #expect(!omitted.isEmpty && omitted.count < 40)
    for (net, route) in zip(nets, layout.routes) {
      #expect(route.ends.count + route.omitted.count == net.targets.count)
    }
    let drawn = zip(nets, layout.routes).filter { $1.omitted.isEmpty }.flatMap { net, _ in
      net.targets.map { $0 - net.source }
    }
    let left = omitted.flatMap { net, route in route.omitted.map { $0 - net.source } }
    #expect((drawn.max() ?? 0) <= (left.min() ?? 0))
  }

  @Test("a value that is read too early, twice, or never is drawn")
  func oddNets() {
    let sizes = Array(repeating: GraphLayout.Size(width: 60, height: 30), count: 3)
    let layout = GraphLayout(
      nodes: sizes,
      nets: [.init(source: 0, targets: [1, 1]), .init(source: 2, targets: [1]), .init(source: 1, targets: [])])
    #expect(layout.routes.map(\.omitted) == [[], [1], []])
    #expect(layout.routes.map(\.ends.count) == [1, 0, 0])
    #expect(GraphLayout(nodes: [], nets: []).nodes.isEmpty)
  }

  @Test("is the same every time")
  func deterministic() {
    let (sizes, nets) = Self.graph(nodeCount: 200, seed: 9)
    let (first, second) = (GraphLayout(nodes: sizes, nets: nets), GraphLayout(nodes: sizes, nets: nets))
    #expect(first.nodes == second.nodes && first.routes == second.routes)
  }
}
