/// The nodes of a graph, with some of them replaced.
struct ReorderedNodes {
  /// The nodes to insert at the start.
  private var prologue: [Node] = []
  private var replacements: [[Node]]
  /// The replacements of values.
  private var substitutes = ValueMap<ValueID>()

  init(_ nodes: [Node]) { replacements = nodes.map { [$0] } }

  var nodes: [Node] {
    var nodes = prologue + replacements.flatMap { $0 }
    for index in nodes.indices {
      for (position, input) in nodes[index].inputs.enumerated() {
        guard var value = input, substitutes[value] != nil else { continue }
        while let substitute = substitutes[value] { value = substitute }
        nodes[index].inputs[position] = value
      }
    }
    return nodes
  }

  mutating func prepend(_ node: Node) { prologue.append(node) }
  mutating func append(_ node: Node, behind index: Int) { replacements[index].append(node) }
  mutating func replace(_ index: Int, by nodes: [Node]) { replacements[index] = nodes }
  mutating func replace(_ value: ValueID, by other: ValueID) { substitutes[value] = other }
}

/// Rewrites a region for another order of the axes of its values.
///
/// A value v of the model is then `transpose(w, order)` of its new value w.
struct Reordering {
  let graph: TransposedGraph
  let order: [Int]
  /// The region's nodes.
  let inside: BitSet
  let newValues: ValueMap<ValueID>
  /// The node that new transposes are copied from and named after.
  let pattern: (node: Node, operation: any TransposeLikeOperator)

  func apply(to region: TransposedGraph.Region, _ edit: inout ReorderedNodes) throws {
    for index in region.nodes { edit.replace(index, by: [try reordered(index)]) }
    for value in region.values {
      guard let new = newValues[value] else { continue }
      provide(value, new, &edit)
      for reader in graph.readers[value] { redirect(reader, to: new, &edit) }
    }
  }

  /// Returns node `index` of the region, rewritten for the new values.
  private func reordered(_ index: Int) throws -> Node {
    var node = graph.nodes[index]
    if case .named(let operation) = node.operation.layoutBehavior {
      node.operation = try operation.reordered(order.inverted, NodeView(node: node, values: graph.table))
    }
    let shared = graph.sharedValues(index)
    guard case .inner(let count) = graph.parts[index] else { return node }
    for position in 0..<count {
      guard let input = node.inputs[position], shared.contains(input) else { continue }
      node.inputs[position] = newValues[input] ?? input
    }
    node.outputs = node.outputs.map { newValues[$0] ?? $0 }
    return node
  }

  /// Adds the nodes that produce the new value, and the old one if it is still read.
  private func provide(_ value: ValueID, _ new: ValueID, _ edit: inout ReorderedNodes) {
    let isReadOutside = graph.isReadOutside(value, inside)
    guard let producer = graph.producers[value] else {
      return edit.prepend(transpose(from: value, to: new, by: order.inverted))
    }
    if case .transpose(let input, _, let permutation) = graph.parts[producer] {
      var nodes = isReadOutside ? [graph.nodes[producer]] : []
      if permutation != order {
        nodes.append(transpose(from: input, to: new, by: order.inverted.map { permutation[$0] }))
      }
      edit.replace(producer, by: nodes)
    } else if !inside.contains(producer) {
      edit.append(transpose(from: value, to: new, by: order.inverted), behind: producer)
    } else if isReadOutside {
      edit.append(transpose(from: new, to: value, by: order), behind: producer)
    }
  }

  /// Rewrites a transpose after the region to read the new value, or removes it.
  private func redirect(_ reader: Int, to new: ValueID, _ edit: inout ReorderedNodes) {
    guard case .transpose(_, let output, let permutation) = graph.parts[reader] else { return }
    let composed = permutation.map { order[$0] }
    if output == new {
      edit.replace(reader, by: [])
    } else if composed == Array(order.indices), !graph.kept.contains(output) {
      edit.replace(output, by: new)
      edit.replace(reader, by: [])
    } else {
      edit.replace(reader, by: [transpose(from: new, to: output, by: composed)])
    }
  }

  private func transpose(from input: ValueID, to output: ValueID, by permutation: [Int]) -> Node {
    Node(
      location: pattern.node.location, number: pattern.node.number,
      operation: pattern.operation.transposing(by: permutation), inputs: [input], outputs: [output])
  }
}
