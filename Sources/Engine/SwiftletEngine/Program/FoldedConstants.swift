import SwiftletBase

/// Constants that are computed from other constants, once for all programs of a model that need them. The outputs of a
/// node depend only on the node, its constant inputs, and the shapes around it.
///
/// Sharing saves more than time: packed constants are looked up by the address of their sources.
struct FoldedConstants {
  private let shared: PackedConstants
  private let sources: [ByteRegion]
  private let keys: [PackedConstants.Key]

  /// Creates the constants that `node` computes. Its shapes must be known.
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

  /// The memory of all outputs, if they have already been computed.
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
  /// - Throws: `limitExceeded` if the memory exceeds the limit.
  func share(_ outputs: [AlignedBytes]) throws(RuntimeError) {
    var table = PackedConstants.Table()
    for (key, block) in zip(keys, outputs) {
      table.insert(PackedConstants.Entry(key: key, packed: block, sources: sources, isFolded: true))
    }
    try shared.add(table)
  }
}

/// The dependencies between steps: a step depends on an earlier step if one of them writes bytes that the other reads
/// or writes.
struct RegionTable {
  private struct Region {
    var space: Int
    var range: Range<Int>

    func overlaps(_ other: Region) -> Bool { space == other.space && range.overlaps(other.range) }
  }

  /// The memory regions; `nil` for memory that never changes.
  private let regions: [Region?]

  /// The maximum number of steps for the exact search, which is quadratic. Above it, each step waits for the previous
  /// one.
  private static let exactLimit = 4096

  init(locations: [Program.SlotLocation], blocks: BlockTable, requests: [MemoryRequest]) {
    var spaces = StateMap<Int>()
    regions = locations.enumerated().map { index, location in
      switch location {
      case .constant, .external: return nil
      case .arena(let offset):
        let bytes = blocks.block(of: TensorSlot(index: index)).map { requests[$0].bytes } ?? 0
        return Region(space: 0, range: offset..<(offset + bytes))
      case .state(let key, _, _):
        let space = spaces[key] ?? spaces.count + 1
        spaces.set(key, to: space)
        return Region(space: space, range: 0..<1)
      }
    }
  }

  /// Returns the earlier steps that each step waits for, without those implied by others.
  mutating func dependencies(
    of stepCount: Int, accesses: [NodeAccess]
  ) -> [[Int]] {
    guard stepCount <= Self.exactLimit else { return (0..<stepCount).map { $0 == 0 ? [] : [$0 - 1] } }
    var reads = [[Region]](repeating: [], count: stepCount)
    var writes = reads
    var isFirstOfNode = [Bool](repeating: true, count: stepCount)
    for access in accesses {
      for step in access.steps {
        reads[step] = access.reads.compactMap { regions[$0.index] }
        writes[step] = access.writes.compactMap { regions[$0.index] }
        isFirstOfNode[step] = step == access.steps.lowerBound
      }
    }
    var ancestors: [BitSet] = []
    var result: [[Int]] = []
    for step in 0..<stepCount {
      var covered = BitSet(count: stepCount)
      var waits: [Int] = []
      for other in stride(from: step - 1, through: 0, by: -1) where !covered.contains(other) {
        let isSameNode = other == step - 1 && !isFirstOfNode[step]
        let conflict =
          isSameNode || Self.overlap(writes[other], reads[step]) || Self.overlap(writes[other], writes[step])
          || Self.overlap(reads[other], writes[step])
        guard conflict else { continue }
        waits.append(other)
        covered.insert(other)
        covered.formUnion(ancestors[other])
      }
      ancestors.append(covered)
      result.append(waits)
    }
    return result
  }

  private static func overlap(_ first: [Region], _ second: [Region]) -> Bool {
    first.contains { region in second.contains { $0.overlaps(region) } }
  }
}
