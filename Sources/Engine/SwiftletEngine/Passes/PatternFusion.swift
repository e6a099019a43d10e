import SwiftletSchema

/// Replaces subgraphs that compute one function by one node.
///
/// Converters write activation functions and normalizations as several operators. The patterns come from the caller,
/// because the engine contains no operators.
///
/// A subgraph is replaced only if its inner values aren't kept and have no readers outside of it. Its result is computed
/// at the position of its last node, so none of its nodes may read a variable, which may have changed by then. Nodes are
/// visited from the last to the first, so the largest subgraph is replaced first.
struct PatternFusion {
  /// The maximum number of nodes of a subgraph.
  private static let maximumNodes = 24

  private var nodes: [Node]
  private let table: ValueTable
  private let kept: BitSet
  private let patterns: [any OperatorPattern]
  /// Infers the shapes of a node's outputs, computes them if they are constant, and otherwise returns the node.
  private let infer: (Node) throws -> [Node]
  private var graph: PatternGraph
  private var uses: NodeUses
  private var dropped: BitSet
  private var inserted: [(position: Int, node: Node)] = []

  /// Runs the pass.
  ///
  /// - Parameter infer: Infers the shapes of a new node. Returns the nodes that remain for the run: none if the node is
  ///   constant.
  static func run(
    _ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet, _ patterns: [any OperatorPattern],
    infer: (Node) throws -> [Node]
  ) throws {
    guard !patterns.isEmpty else { return }
    try withoutActuallyEscaping(infer) { infer in
      var fusion = PatternFusion(nodes, table, kept, patterns, infer)
      for position in nodes.indices.reversed() { try fusion.fuse(at: position) }
      nodes = fusion.result
    }
  }

  private init(
    _ nodes: [Node], _ table: ValueTable, _ kept: BitSet, _ patterns: [any OperatorPattern],
    _ infer: @escaping (Node) throws -> [Node]
  ) {
    self.nodes = nodes
    self.table = table
    self.kept = kept
    self.patterns = patterns
    self.infer = infer
    graph = PatternGraph(table)
    uses = NodeUses(nodes, valueCount: table.specs.count)
    dropped = BitSet(count: nodes.count)
    for node in nodes { if let node = PatternNode(node) { graph.add(node) } }
  }

  /// The nodes after the pass.
  private var result: [Node] {
    var result: [Node] = []
    result.reserveCapacity(nodes.count)
    var position = 0
    for (next, node) in inserted.sorted(by: { $0.position < $1.position }) {
      result += nodes[position..<next].enumerated().compactMap { dropped.contains(position + $0) ? nil : $1 }
      result.append(node)
      position = next
    }
    return result + nodes[position...].enumerated().compactMap { dropped.contains(position + $0) ? nil : $1 }
  }

  /// Replaces the subgraph whose last node is at `position`, if it is a pattern.
  private mutating func fuse(at position: Int) throws {
    guard !dropped.contains(position), let root = PatternNode(nodes[position]),
      table.specs[root.output].elementType == .float32
    else { return }
    try table.budget?.check()
    let type = type(of: root.operation)
    for pattern in patterns where pattern.roots.contains(where: { $0 == type }) {
      guard let replacement = try pattern.replacement(of: root, in: graph),
        let positions = subgraph(endingAt: position, from: replacement.inputs.map(\.source)),
        try replace(positions, by: replacement)
      else { continue }
      return
    }
  }

  /// Returns the positions of the nodes that compute the result of a node from `sources` and constants, the last node
  /// first. Returns `nil` if the result depends on other values, or if something else needs a value in between.
  private func subgraph(endingAt root: Int, from sources: [ValueID]) -> [Int]? {
    var positions = [root]
    var next = 0
    while next < positions.count {
      for input in nodes[positions[next]].inputs {
        guard let input, table.variables[input] == nil else { return nil }
        if sources.contains(input) || table.constants[input] != nil { continue }
        guard let producer = uses.producers[input], nodes[producer].outputs.count == 1,
          nodes[producer].operation.isPure, !kept.contains(input)
        else { return nil }
        if !positions.contains(producer) { positions.append(producer) }
      }
      next += 1
      guard positions.count <= Self.maximumNodes else { return nil }
    }
    for position in positions.dropFirst() {
      let value = nodes[position].outputs[0]
      let reads = positions.reduce(0) { count, reader in
        nodes[reader].inputs.reduce(count) { $0 + ($1 == value ? 1 : 0) }
      }
      guard reads == uses.readers[value] else { return nil }
    }
    return positions
  }

  /// Replaces the nodes at `positions` if the replacement has a result of the same shape. Returns whether it has.
  private mutating func replace(_ positions: [Int], by replacement: PatternReplacement) throws -> Bool {
    let root = nodes[positions[0]]
    var inputs: [ValueID?] = []
    var functions: [Node] = []
    for input in replacement.inputs {
      guard case .function(let operation, let source) = input else {
        inputs.append(input.source)
        continue
      }
      let result = table.specs.count
      table.specs.append(table.specs[source])
      inputs.append(result)
      // The number of a replaced node, because numbers identify computed constants.
      let number = nodes[positions[min(functions.count + 1, positions.count - 1)]].number
      functions += try infer(
        Node(
          location: root.location.naming(operation), number: number, operation: operation, inputs: [source],
          outputs: [result]))
    }
    let node = Node(
      location: root.location.naming(replacement.operation), number: root.number, operation: replacement.operation,
      inputs: inputs, outputs: root.outputs)
    guard
      try replacement.operation.inferShapes(NodeView(node: node, values: table)) == [table.specs[root.outputs[0]].shape]
    else { return false }
    for position in positions {
      for case let input? in nodes[position].inputs { uses.readers[input] -= 1 }
    }
    for position in positions.dropFirst() { dropped.insert(position) }
    uses.readers += [Int](repeating: 0, count: table.specs.count - uses.readers.count)
    for added in functions + [node] {
      for case let input? in added.inputs { uses.readers[input] += 1 }
      if let added = PatternNode(added) { graph.add(added) }
    }
    nodes[positions[0]] = node
    // A node that is inserted has no position, so its value has no producer, and no other subgraph includes it.
    inserted += functions.map { (positions[0], $0) }
    return true
  }
}

extension PatternNode {
  /// Creates the view of a node; `nil` if the node has no or several outputs.
  fileprivate init?(_ node: Node) {
    guard node.outputs.count == 1 else { return nil }
    self.init(operation: node.operation, inputs: node.inputs, output: node.outputs[0])
  }
}

extension RuntimeError.Location {
  /// Returns the location with the name of another operator.
  fileprivate func naming(_ operation: any Operator) -> RuntimeError.Location {
    var location = self
    location.operatorName = type(of: operation).identity.kind.name
    return location
  }
}
