import SwiftletKernels

/// Fuses elementwise nodes into the matrix products before them, which apply them block by block while the results are
/// in the cache: activations other than a clamp, and residual additions.
///
/// Results are bit-exact. A product moves to the position of the fused node, where the other operand of an addition is
/// known.
enum EpilogueFusion {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) throws {
    var fusion = Fusion(nodes: nodes, table: table, kept: kept)
    for position in nodes.indices { try fusion.fuseStep(at: position) }
    nodes = fusion.nodes
    nodes.remove(at: fusion.dropped)
  }

  /// The maximum number of epilogue steps per product. Models have one or two. A long chain would copy the list for
  /// every step.
  private static let maximumSteps = 8

  private struct Fusion {
    var nodes: [Node]
    let table: ValueTable
    let kept: BitSet
    var dropped: BitSet
    /// The producers and readers of values. Fusion only changes the read counts of values that it eliminates.
    private var uses: NodeUses

    init(nodes: [Node], table: ValueTable, kept: BitSet) {
      self.nodes = nodes
      self.table = table
      self.kept = kept
      dropped = BitSet(count: nodes.count)
      uses = NodeUses(nodes, valueCount: table.specs.count)
    }

    /// Fuses the node at `position` into the product whose result it reads.
    mutating func fuseStep(at position: Int) throws {
      let node = nodes[position]
      guard let operation = node.operation.fusion.epilogueOperator, node.outputs.count == 1 else { return }
      // If there are two products, use the later one, because the earlier one is finished by then.
      let products = node.inputs.indices.compactMap { index in
        product(giving: node.inputs[index]).map { (input: index, position: $0) }
      }
      guard let last = products.max(by: { $0.position < $1.position }),
        let step = try operation.epilogueStep(NodeView(node: node, values: table), ofInput: last.input)
      else { return }
      fuse(step, at: position, product: last.position)
    }

    /// Returns the product of float32 tensors that computes `value`, if only one node reads it, once.
    private func product(giving value: ValueID?) -> Int? {
      guard let value, table.specs[value].elementType == .float32, !kept.contains(value), uses.readers[value] == 1,
        let index = uses.producers[value], let operation = nodes[index].operation.fusion.takingEpilogue,
        operation.epilogue.count < EpilogueFusion.maximumSteps, nodes[index].outputs.count == 1
      else { return nil }
      // A variable may change before the new position.
      let canMove = nodes[index].inputs.enumerated().allSatisfy { position, input in
        guard let input else { return true }
        guard table.variables[input] == nil else { return false }
        let type = table.specs[input].elementType
        return type == .float32
          || (position == 1 && operation.takesEpilogueOfDynamicRange && (type == .int8 || type == .uint8)
            && table.blocks[input] == nil)
      }
      return canMove ? index : nil
    }

    private mutating func fuse(_ step: EpilogueStep, at position: Int, product: Int) {
      var node = nodes[product]
      guard var operation = node.operation.fusion.takingEpilogue else { return }
      if case .binary(_, let operand, _, _) = step {
        // Append after the product's own inputs: data, weights, bias.
        while node.inputs.count < 3 { node.inputs.append(nil) }
        operation.epilogue.append(step.readingOperand(at: node.inputs.count))
        node.inputs.append(nodes[position].inputs[operand])
      } else {
        operation.epilogue.append(step)
      }
      node.operation = operation
      node.outputs = nodes[position].outputs
      nodes[position] = node
      dropped.insert(product)
      for output in node.outputs { uses.producers[output] = position }
    }
  }
}
