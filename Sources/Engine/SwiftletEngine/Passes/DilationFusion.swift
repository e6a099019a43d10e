/// Replaces a convolution of blocks of images, between the node that divides the images and the node that puts them
/// together, by a dilated convolution.
///
/// In the images that SPACE_TO_BATCH_ND writes, neighbors are a block apart, as the elements of a dilated window are.
/// Converters write dilated convolutions this way if they don't know the size of the image.
///
/// - Source: Yu and Koltun, "Multi-Scale Context Aggregation by Dilated Convolutions" (2016) for dilation; the two
///   operators' definitions for the equivalence.
enum DilationFusion {
  static func run(_ nodes: inout [Node], _ table: ValueTable, _ kept: BitSet) throws {
    // Few models have such nodes, and all would pay for the table of uses at load.
    guard nodes.contains(where: { $0.operation.fusion.imageBlocks != nil }) else { return }
    let uses = NodeUses(nodes, valueCount: table.specs.count)
    var dropped = BitSet(count: nodes.count)
    for index in nodes.indices {
      guard let assembly = nodes[index].operation.fusion.imageBlocks,
        let convolved = nodes[index].inputs.first ?? nil, uses.readers[convolved] == 1, !kept.contains(convolved),
        let middle = uses.producers[convolved], let convolution = nodes[middle].operation.fusion.convolution,
        nodes[middle].outputs.count == 1, !quantizesInput(nodes[middle], table),
        let divided = nodes[middle].inputs.first ?? nil, uses.readers[divided] == 1, !kept.contains(divided),
        let first = uses.producers[divided], let division = nodes[first].operation.fusion.imageBlocks,
        nodes[first].isSteady(table),
        let blocks = try division.imageBlocks(NodeView(node: nodes[first], values: table)), blocks.role == .division,
        let assembled = try assembly.imageBlocks(NodeView(node: nodes[index], values: table)),
        assembled.role == .assembly, assembled.height == blocks.height, assembled.width == blocks.width,
        let padding = blocks.margins.cropped(by: assembled.margins),
        let output = nodes[index].outputs.first, table.specs[output].shape.elementCount > 0,
        let dilated = try convolution.dilating(
          height: blocks.height, width: blocks.width, padding: padding, NodeView(node: nodes[middle], values: table))
      else { continue }
      nodes[middle].operation = dilated
      nodes[middle].inputs[0] = nodes[first].inputs[0]
      nodes[middle].outputs = nodes[index].outputs
      dropped.insert(first)
      dropped.insert(index)
    }
    nodes.remove(at: dropped)
  }

  /// Returns whether the node quantizes its input during the run. Each image has its own scale then, and so does each
  /// block.
  private static func quantizesInput(_ node: Node, _ table: ValueTable) -> Bool {
    guard node.inputs.count > 1, let input = node.inputs[0], let weights = node.inputs[1] else { return true }
    return table.specs[input].elementType == .float32 && table.specs[weights].elementType != .float32
  }
}

extension ExplicitPadding {
  /// Returns the padding that remains if the results that read the outermost rows and columns aren't needed; `nil` if
  /// more results aren't needed than there are.
  fileprivate func cropped(by crops: ExplicitPadding) -> ExplicitPadding? {
    let rest = ExplicitPadding(
      top: top - crops.top, bottom: bottom - crops.bottom, left: left - crops.left, right: right - crops.right)
    return min(rest.top, rest.bottom, rest.left, rest.right) < 0 ? nil : rest
  }
}
