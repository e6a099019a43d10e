import SwiftletKernels

/// Lets products apply the elementwise nodes behind them, block by block while the results are in the cache:
/// activations that are not a clamp, residual additions, `x · logistic(x)`.
///
/// Results stay the same to the bit. A product moves to the place of what it takes over, where the other term of an
/// addition is known.
enum EpilogueFusion {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) throws {
    var fusion = Fusion(nodes: nodes, table: table, kept: kept)
    for position in nodes.indices {
      if try !fusion.fuseSwish(at: position) { try fusion.fuseStep(at: position) }
    }
    nodes = fusion.nodes
    nodes.remove(at: fusion.dropped)
  }

  /// Steps of one product's epilogue. Models have one or two; taking over a long chain would copy the list for every
  /// one of them.
  private static let maximumSteps = 8

  private struct Fusion {
    var nodes: [Node]
    let table: ValueTable
    let kept: BitSet
    var dropped: BitSet
    /// Fusing changes how often values are read only for those that it eliminates.
    private var uses: NodeUses

    init(nodes: [Node], table: ValueTable, kept: BitSet) {
      self.nodes = nodes
      self.table = table
      self.kept = kept
      dropped = BitSet(count: nodes.count)
      uses = NodeUses(nodes, valueCount: table.specs.count)
    }

    /// Fuses the node at `position` into the product that it follows.
    mutating func fuseStep(at position: Int) throws {
      let node = nodes[position]
      guard let operation = node.operation.fusion.epilogueOperator, node.outputs.count == 1 else { return }
      // Of two products the later one: the earlier is done by then.
      let products = node.inputs.indices.compactMap { index in
        product(giving: node.inputs[index], readers: 1).map { (input: index, position: $0) }
      }
      guard let last = products.max(by: { $0.position < $1.position }),
        let step = try operation.epilogueStep(NodeView(node: node, values: table), ofInput: last.input)
      else { return }
      fuse(step, at: position, product: last.position)
    }

    /// Fuses `x · logistic(x)` that ends at `position` into the product that gives x.
    mutating func fuseSwish(at position: Int) throws -> Bool {
      let node = nodes[position]
      guard let multiplication = node.operation.fusion.epilogueOperator, node.inputs.count == 2,
        let left = node.inputs[0],
        let right = node.inputs[1]
      else { return false }
      for (x, gate) in [(left, right), (right, left)] {
        guard !kept.contains(gate), uses.readers[gate] == 1, let logistic = uses.producers[gate],
          nodes[logistic].inputs == [x], let product = product(giving: x, readers: 2), try isLogistic(nodes[logistic]),
          case .binary(.multiply, _, isVector: false, clamp: .none)? = try multiplication.epilogueStep(
            NodeView(node: node, values: table), ofInput: 0)
        else { continue }
        fuse(.unary(UnaryFloatKernel(operation: .swish)), at: position, product: product)
        dropped.insert(logistic)
        return true
      }
      return false
    }

    private func isLogistic(_ node: Node) throws -> Bool {
      guard let operation = node.operation.fusion.epilogueOperator,
        case .unary(let kernel)? = try operation.epilogueStep(NodeView(node: node, values: table), ofInput: 0)
      else { return false }
      return kernel.operation == .logistic
    }

    /// Returns the product of float32 tensors that gives `value`, when only nodes that are fused read it, `count`
    /// times.
    private func product(giving value: ValueID?, readers count: Int) -> Int? {
      guard let value, table.specs[value].elementType == .float32, !kept.contains(value), uses.readers[value] == count,
        let index = uses.producers[value], let operation = nodes[index].operation.fusion.takingEpilogue,
        operation.epilogue.count < EpilogueFusion.maximumSteps, nodes[index].outputs.count == 1
      else { return nil }
      // A variable may have another value by the time of the step.
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
        // Behind the product's own inputs: data, weights, bias.
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
