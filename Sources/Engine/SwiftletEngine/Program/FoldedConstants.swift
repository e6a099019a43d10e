import SwiftletBase

/// Constants that are computed from others, each once for all programs of a model that need it: what a node gives
/// depends on nothing but the node, its constant inputs and the shapes around it.
///
/// This matters beyond the time that it saves. Packed constants are found again by the address of what they were made
/// of.
struct FoldedConstants {
  private let shared: PackedConstants
  private let sources: [ByteRegion]
  private let keys: [PackedConstants.Key]

  /// What `node` gives; its shapes must be known.
  init(of node: Node, _ table: ValueTable, in shared: PackedConstants) {
    self.shared = shared
    var sources: [ByteRegion] = []
    var numbers = [node.number]
    for input in node.inputs {
      if let region = input.flatMap({ table.constants[$0] }) {
        numbers.append(sources.count)
        sources.append(region)
      } else {
        numbers.append(-1)
      }
      Self.append(input.map { table.specs[$0].shape } ?? [], to: &numbers)
    }
    for output in node.outputs { Self.append(table.specs[output].shape, to: &numbers) }
    self.sources = sources
    keys = node.outputs.indices.map { PackedConstants.Key(sources, PackedLayout("folded", numbers + [$0])) }
  }

  private static func append(_ shape: Shape, to numbers: inout [Int]) {
    numbers.append(shape.rank)
    numbers += shape.dimensions
  }

  /// The memory of all outputs, when they have been computed before.
  var known: [AlignedBytes]? {
    var blocks: [AlignedBytes] = []
    for key in keys {
      guard let block = shared[key] else { return nil }
      blocks.append(block)
    }
    return blocks
  }

  /// Shares the memory of all outputs.
  ///
  /// - Throws: `limitExceeded` when there is too much of it.
  func share(_ outputs: [AlignedBytes]) throws(RuntimeError) {
    var table = PackedConstants.Table()
    for (key, block) in zip(keys, outputs) {
      table.insert(PackedConstants.Entry(key: key, packed: block, sources: sources, isFolded: true))
    }
    try shared.add(table)
  }
}
