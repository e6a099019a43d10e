/// Fuses a float32 clamp into the operator before it.
enum ActivationFusion {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) {
    var uses = NodeUses(nodes, valueCount: table.specs.count)
    var dropped = BitSet(count: nodes.count)
    for index in nodes.indices {
      guard let activation = nodes[index].operation.fusion.activation?.fusedActivation,
        let source = nodes[index].inputs.first ?? nil, let result = nodes[index].outputs.first,
        table.specs[source].elementType == .float32, table.specs[result].elementType == .float32,
        uses.readers[source] == 1, !kept.contains(source), let producer = uses.producers[source],
        !dropped.contains(producer),
        nodes[producer].outputs.count == 1,
        let fused = nodes[producer].operation.fusion.fusingActivation?.fusing(activation)
      else { continue }
      nodes[producer].operation = fused
      nodes[producer].outputs = [result]
      uses.producers[result] = producer
      dropped.insert(index)
    }
    nodes.remove(at: dropped)
  }
}

/// Folds a padding node into the convolutions that read it, if it has no other readers.
///
/// - Source: the rewrite that XNNPACK's subgraph optimizer applies to constant padding before a convolution.
enum PadFusion {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) throws {
    let uses = NodeUses(nodes, valueCount: table.specs.count)
    var dropped = BitSet(count: nodes.count)
    for index in nodes.indices {
      guard let convolution = nodes[index].operation.fusion.convolution, let padded = nodes[index].inputs.first ?? nil,
        uses.readers[padded] == 1, !kept.contains(padded), let producer = uses.producers[padded],
        let padding = nodes[producer].operation.fusion.padding, nodes[producer].isSteady(table),
        let amount = try padding.foldablePadding(NodeView(node: nodes[producer], values: table)),
        let folded = convolution.folding(amount)
      else { continue }
      nodes[index].operation = folded
      nodes[index].inputs[0] = nodes[producer].inputs[0]
      dropped.insert(producer)
    }
    nodes.remove(at: dropped)
  }
}

extension Node {
  /// Returns whether the node reads the same values at a later time. A variable may have another value by then.
  func isSteady(_ table: ValueTable) -> Bool {
    inputs.allSatisfy { $0.map { table.variables[$0] == nil } ?? true }
  }
}

/// Fuses a clamp of quantized values into the convolution before it, if both tensors have the same quantization
/// parameters.
enum QuantizedClampFusion {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) throws {
    var uses = NodeUses(nodes, valueCount: table.specs.count)
    var dropped = BitSet(count: nodes.count)
    for index in nodes.indices {
      guard let operation = nodes[index].operation.fusion.quantizedClamp, nodes[index].outputs.count == 1,
        let clamp = try operation.quantizedClamp(NodeView(node: nodes[index], values: table)),
        let source = nodes[index].inputs[clamp.input], uses.readers[source] == 1, !kept.contains(source),
        table.specs[source].quantization == table.specs[nodes[index].outputs[0]].quantization,
        let producer = uses.producers[source], let convolution = nodes[producer].operation.fusion.convolution,
        nodes[producer].outputs.count == 1
      else { continue }
      nodes[producer].operation = convolution.clamping(clamp.quantized)
      nodes[producer].outputs = nodes[index].outputs
      uses.producers[nodes[index].outputs[0]] = producer
      dropped.insert(index)
    }
    nodes.remove(at: dropped)
  }
}

/// Fuses the squares of elements into the sums and means that read them, so that no multiplication has to write them.
///
/// Root mean square normalizations start like this.
enum SquareFusion {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) throws {
    let uses = NodeUses(nodes, valueCount: table.specs.count)
    var dropped = BitSet(count: nodes.count)
    for index in nodes.indices {
      guard let reduction = nodes[index].operation.fusion.squaring, let squares = nodes[index].inputs.first ?? nil,
        uses.readers[squares] == 1, !kept.contains(squares), let producer = uses.producers[squares],
        nodes[producer].inputs.count == 2, let source = nodes[producer].inputs[0], nodes[producer].inputs[1] == source,
        table.variables[source] == nil, table.specs[source].elementType == .float32,
        let multiplication = nodes[producer].operation.fusion.epilogueOperator,
        case .binary(.multiply, _, isVector: false, clamp: .none)? = try multiplication.epilogueStep(
          NodeView(node: nodes[producer], values: table), ofInput: 0),
        let squaring = try reduction.squaring(NodeView(node: nodes[index], values: table))
      else { continue }
      nodes[index].operation = squaring
      nodes[index].inputs[0] = source
      dropped.insert(producer)
    }
    nodes.remove(at: dropped)
  }
}

/// The producers and readers of each value in a list of nodes.
struct NodeUses {
  /// The number of reads by value.
  var readers: [Int]
  /// The position of the node that produces a value; `nil` if there is none.
  var producers: ValueMap<Int>

  init(_ nodes: [Node], valueCount: Int) {
    readers = Array(repeating: 0, count: valueCount)
    producers = ValueMap()
    for (index, node) in nodes.enumerated() {
      for case let input? in node.inputs { readers[input] += 1 }
      for output in node.outputs { producers[output] = index }
    }
  }
}

extension [Node] {
  /// Removes the nodes at `positions`.
  mutating func remove(at positions: BitSet) {
    var index = -1
    removeAll { _ in
      index += 1
      return positions.contains(index)
    }
  }
}

/// Removes nodes whose outputs aren't read.
enum DeadCodeElimination {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) {
    var needed = kept
    var live: [Node] = []
    for node in nodes.reversed() {
      let touchesVariable = node.inputs.contains { $0.map { table.variables[$0] != nil } ?? false }
      let isLive = !node.operation.isPure || touchesVariable || node.outputs.contains(where: needed.contains)
      guard isLive else { continue }
      for case let input? in node.inputs { needed.insert(input) }
      live.append(node)
    }
    nodes = live.reversed()
  }
}
